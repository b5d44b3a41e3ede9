/** Judges one mutant that can't be put beside others: types, members, initialisers, and what no build together took. */

import type { GradeContext } from "../../grade/context.ts";
import { judgeLayer } from "../../grade/layer.ts";
import { layTree, type PreparedLayer, prepareLayers } from "../../grade/prepare.ts";
import type { LayerName } from "../../model/manifest.ts";
import type { FileTree } from "../../model/task.ts";
import { applyMutant, type Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";
import { fateOf, fixedSeed, policyOf } from "./judge-build.ts";
import { judgeVariants, type LayerAnswer } from "./judge-variants.ts";

/** Compiles the sources with the mutant, and the tests again where a header has changed. */
export async function judgeAlone(
  context: GradeContext,
  files: FileTree,
  mutant: Mutant,
  usual: ReadonlyMap<string, number>,
): Promise<Fate> {
  const tree = layTree(context, applyMutant(files, mutant));
  const seed = fixedSeed(context);
  const ask = async (layer: LayerName) => {
    const { layers } = await prepareLayers(context, [layer], tree, seed);
    return askLayer(context, layers.get(layer), usual);
  };
  const visible = await ask("visible");
  if (visible === null) return { status: "does-not-compile" };
  if (visible.status === "fail") return fateOf(visible, undefined);
  // Alone with the visible test it compiles: the oracle's own static checks refuse it.
  const hidden = (await ask("hidden")) ?? { status: "fail", cause: "compile-error" };
  return fateOf(visible, hidden);
}

/** What a layer says; null where the mutant doesn't compile with it. */
async function askLayer(
  context: GradeContext,
  layer: PreparedLayer | undefined,
  usual: ReadonlyMap<string, number>,
): Promise<LayerAnswer | null> {
  if (layer === undefined) throw new Error("a layer was not prepared");
  if (layer.status === "decided") return null;
  const policy = policyOf(context);
  if (layer.targets.every(({ server }) => server === undefined)) {
    const answers = await judgeVariants({ context, policy, usual }, layer.targets, [0]);
    return answers.get(0) ?? null;
  }
  const outcome = await judgeLayer(context.machine, layer.targets, policy);
  if (outcome.status === "error") throw new Error(`a run was not judged: ${outcome.detail}`);
  return outcome.status === "pass"
    ? { status: "pass", cpuMs: outcome.cpuMs }
    : { status: "fail", cause: outcome.cause };
}
