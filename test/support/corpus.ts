/** The corpus: `test/corpus/<token>/<name>/patch.diff`, where the folder is the best answer. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Token, tokens } from "../../src/model/verdict.ts";
import { inRepository } from "./repository.ts";

const corpus = inRepository("test/corpus");

/** The task that every patch of the corpus is written for. */
export const corpusTask = join(corpus, "task");

/** One patch and its acceptable answers, the best one first. */
export interface CorpusPatch {
  /** `token/name`. */
  readonly name: string;
  readonly patch: string;
  readonly answers: readonly [Token, ...Token[]];
  /** Why the deciding layer must fail, or why the patch must be refused. */
  readonly cause: string | undefined;
}

/** What `expect.json` may say. */
interface Expectations {
  readonly alternatives?: readonly Token[];
  readonly cause?: string;
}

/** Every patch of the corpus, by token and name. */
export function readCorpus(): CorpusPatch[] {
  return tokens
    .filter((token) => existsSync(join(corpus, token)))
    .flatMap((token) =>
      readdirSync(join(corpus, token))
        .sort()
        .map((name) => corpusPatch(token, name)),
    );
}

function corpusPatch(token: Token, name: string): CorpusPatch {
  const folder = join(corpus, token, name);
  const { alternatives = [], cause } = expectationsIn(join(folder, "expect.json"));
  return {
    name: `${token}/${name}`,
    patch: join(folder, "patch.diff"),
    answers: [token, ...alternatives],
    cause,
  };
}

function expectationsIn(path: string): Expectations {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Expectations) : {};
}
