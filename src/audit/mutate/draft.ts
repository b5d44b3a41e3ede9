/** A mutant in the making: a proposal with the place that it was made for. */
import type { Family } from "./mutant.ts";
import type { Mutator, Proposal, World } from "./mutator.ts";
import type { Syntax } from "./syntax.ts";
import { mutableNodes } from "./walk.ts";

export interface Draft extends Proposal {
  readonly file: string;
  readonly family: Family;
  /** The node that the mutator was called with; for joint ones the first of them. */
  readonly node: Syntax;
}

/** Everything that the mutators propose for the files, edits in order. */
export function draftAll(mutators: readonly Mutator[], world: World): Draft[] {
  const drafts: Draft[] = [];
  for (const [file, root] of world.names.roots) {
    const nodes = [...mutableNodes(root)];
    for (const { family, propose } of mutators)
      for (const node of nodes)
        for (const proposal of propose(node, world)) drafts.push({ ...proposal, file, family, node });
  }
  return drafts;
}

/** Whether no two edits of a list touch each other. */
export function areApart(edits: readonly { start: number; end: number }[]): boolean {
  const sorted = [...edits].sort((one, other) => one.start - other.start);
  return sorted.every((edit, index) => index === 0 || edit.start >= (sorted[index - 1]?.end ?? 0));
}
