/**
 * Whether hygiene would refuse a patch if there were no tests but the shown ones. Where it wouldn't, the refusal itself
 * tells a word of the hidden tests, and such a patch is judged like any other, for whoever must not learn of them.
 */
import type { LayerName } from "../model/manifest.ts";
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
 * @param tests What the visible tests were compiled against.
 * @param candidates Those that the visible layer runs.
 */
export async function isBuildRefused(
  context: GradeContext,
  tree: LaidTree,
  tests: LaidTree,
  candidates: readonly BuiltCandidate[],
): Promise<boolean> {
  if (context.calibrating) return true;
  if (candidates.length === 0) return false;
  const alone = withShownAlone(context);
  const found = await inspectTree(alone, tests);
  return (await inspectBuilt(alone, tree, tests, candidates, found)).length > 0;
}

/** What tests are compiled against. Messages about the shown ones must not depend on what others name. */
export function treesForTests(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: LaidTree,
): { readonly shown: LaidTree; readonly all: LaidTree } {
  const laid = (files: FileTree | undefined) => (files ? layTree(context, files) : undefined);
  const heard = laid(filesForTests(context, layers, tree.files));
  // What nobody names isn't named by the shown tests either.
  if (heard) return { shown: heard, all: heard };
  return { shown: laid(filesForTests(withShownAlone(context), ["visible"], tree.files)) ?? tree, all: tree };
}

function withShownAlone(context: GradeContext): GradeContext {
  const { task } = context;
  return { ...context, task: { ...task, layers: { ...task.layers, hidden: [], reserve: [] } } };
}
