/** One mutator tried on a small text: for tests, and for whoever writes a new one. */
import { draftAll } from "./draft.ts";
import { finishDrafts } from "./finish.ts";
import { readWorld } from "./generate.ts";
import { applyEdits } from "./mutant.ts";
import type { Mutator } from "./mutator.ts";

export interface Trial {
  /** What stands before the text that is tried: declarations, the head of a function. */
  readonly before?: string;
  readonly text: string;
  /** What stands after it. */
  readonly after?: string;
  /** A visible test. */
  readonly visible?: string;
}

/** The texts that the mutator makes of `text`, distinct, in its order. Changes before and after it are left out. */
export async function tryMutator(mutator: Mutator, trial: Trial): Promise<string[]> {
  const { before = "", text, after = "", visible = "" } = trial;
  const files = new Map([["tried.cpp", before + text + after]]);
  const { names, ...rest } = await readWorld({ files, visible: [visible] });
  const mutants = finishDrafts(draftAll([mutator], { names, ...rest }), files, names, []);
  return mutants
    .filter(({ edits }) =>
      edits.every((edit) => edit.start >= before.length && edit.end <= before.length + text.length),
    )
    .map(({ edits }) => applyEdits(before + text + after, edits))
    .map((result) => result.slice(before.length, result.length - after.length));
}
