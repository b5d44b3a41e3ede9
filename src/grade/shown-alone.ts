/**
 * Whether hygiene would refuse a patch if there were no tests but the shown ones. Where it wouldn't, the refusal itself
 * tells a word of the hidden tests, and such a patch is judged like any other, for whoever must not learn of them.
 */
import type { FileTree } from "../model/task.ts";
import type { LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { inspectBuilt, inspectSources, inspectTree } from "./hygiene/hygiene.ts";
import { type BuiltCandidate, layTree } from "./prepare.ts";
import { filesForTests } from "./test-tree.ts";

/** Of the text alone. While a task is calibrated nobody asks who may not know. */
export function isTextRefused(context: GradeContext, sources: FileTree): boolean {
  return context.calibrating === true || inspectSources(withShownAlone(context).task, sources).length > 0;
}

/**
 * Of what was built.
 *
 * @param candidates Those that the visible layer runs.
 */
export async function isBuildRefused(
  context: GradeContext,
  tree: LaidTree,
  candidates: readonly BuiltCandidate[],
): Promise<boolean> {
  if (context.calibrating) return true;
  if (candidates.length === 0) return false;
  const alone = withShownAlone(context);
  const heard = filesForTests(alone, ["visible"], tree.files);
  const tests = heard ? layTree(alone, heard) : tree;
  const found = await inspectTree(alone, tests);
  return (await inspectBuilt(alone, tree, tests, candidates, found)).length > 0;
}

function withShownAlone(context: GradeContext): GradeContext {
  const { task } = context;
  return { ...context, task: { ...task, layers: { ...task.layers, hidden: [], reserve: [] } } };
}
