/** Judges sources of the task's own, to learn about the task: leaks are reported and no proof is compared. */
import type { LayerOutcome } from "../model/outcome.ts";
import type { FileTree } from "../model/task.ts";
import type { GradeContext } from "./context.ts";
import { judgeLayer } from "./layer.ts";
import { lenientPolicy } from "./layer-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";
import type { LayerOutcomes } from "./request.ts";

/** Outcomes of the visible and the hidden layer. */
export async function judgeLeniently(context: GradeContext, sources: FileTree): Promise<LayerOutcomes> {
  const tree = layTree(context, sources);
  const { layers } = await prepareLayers(context, ["visible", "hidden"], tree, undefined);
  const judged = [...layers].map(async ([name, layer]): Promise<[typeof name, LayerOutcome]> => {
    if (layer.status === "decided") return [name, layer.outcome];
    return [name, await judgeLayer(context.machine, layer.targets, lenientPolicy)];
  });
  return new Map(await Promise.all(judged));
}
