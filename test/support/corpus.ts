/** The shipped corpus, and what a test changes of a task to grade one of its patches. */
import { type CorpusPatch, readCorpus } from "../../src/audit/corpus.ts";
import { inRepository } from "./repository.ts";
import type { ManifestChanges } from "./task-copy.ts";

/** The task that most patches of the corpus are written for. */
export const corpusTask = inRepository("test/corpus/task");

/** Every patch of the corpus, by token and name. */
export const corpus: readonly CorpusPatch[] = readCorpus(inRepository("test/corpus"));

/** What a manifest must say for a patch to be graded soon. */
export function limitsFor({ limits }: CorpusPatch): ManifestChanges {
  return limits === undefined ? {} : { limits };
}
