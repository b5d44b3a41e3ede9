/** Judges mutants that can't be switched in place with one build: a copy of everything for each of them. */
import type { GradeContext } from "../../grade/context.ts";
import { GraderError } from "../../model/errors.ts";
import type { FileTree } from "../../model/task.ts";
import type { Mutant } from "../mutate/mutant.ts";
import { type BuildVerdict, judgeReady, type Prepared, prepare } from "./judge-build.ts";
import { inNamespaces } from "./namespaces.ts";

/** Leaves all of them where the copies don't compile, or the reference among them doesn't pass as it does alone. */
export async function judgeCopies(
  context: GradeContext,
  files: FileTree,
  mutants: readonly Mutant[],
): Promise<BuildVerdict> {
  const copies = inNamespaces(context.task, files, mutants);
  if (copies === null) return { fates: new Map(), left: mutants };
  const layers = await prepareOrNot({ ...context, task: copies.task }, copies.tree);
  if (layers.status !== "ready") return { fates: new Map(), left: mutants };
  const variants = mutants.map((mutant, i) => ({ number: i + 1, mutant, places: [] }));
  return judgeReady(context, layers, mutants, variants);
}

/** A test that doesn't compile as copies looks like one that compiles nowhere. */
async function prepareOrNot(context: GradeContext, tree: FileTree): Promise<Prepared> {
  try {
    return await prepare(context, tree);
  } catch (error) {
    if (!(error instanceof GraderError) || error.exit !== 65) throw error;
    return { status: "failed", messages: error.message };
  }
}
