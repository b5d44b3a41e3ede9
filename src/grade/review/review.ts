/** For whoever reviews a patch that passes: what the checks did not reach, what it changes for callers, what it costs. */
import type { LayerName } from "../../model/manifest.ts";
import type { LayerOutcome } from "../../model/outcome.ts";
import type { GradeRecord } from "../../model/record.ts";
import type { FileTree } from "../../model/task.ts";
import type { GradeContext } from "../context.ts";
import { measureSources, ordinaryLayers } from "../measure.ts";
import { layTree } from "../prepare.ts";
import { recordedTree } from "../recorded.ts";
import { measureCoverage } from "./coverage.ts";
import { compareInterfaces } from "./interface.ts";

/** What is added to the record of a PASS. */
export async function reviewSources(
  context: GradeContext,
  sources: FileTree,
  layers: GradeRecord["layers"],
): Promise<NonNullable<GradeRecord["review"]>> {
  const { task } = context;
  context.onStep?.("measuring coverage");
  const coverage = await measureCoverage(context, layTree(context, sources));
  const model = task.reference ? recordedTree(task, task.reference) : task.sources;
  const { outcomes } = await measureSources(context, model);
  const { added, removed } = compareInterfaces(task.sources, sources);
  return {
    coverage: { changed: coverage.changed, missed: coverage.missed.map((line) => ({ ...line })) },
    interface: { added: [...added], removed: [...removed] },
    cpu: {
      against: task.reference?.path ?? "baseline",
      layers: Object.fromEntries(ordinaryLayers.map((name) => [name, spent(layers[name], outcomes[name])])),
    },
  };
}

/** CPU milliseconds of all runs of a layer, of the patch and of what it is held against. */
function spent(
  layer: GradeRecord["layers"][LayerName],
  model: LayerOutcome | undefined,
): { cpuMs: number; modelMs: number } {
  return { cpuMs: layer?.cpuMs ?? 0, modelMs: model?.cpuMs ?? 0 };
}
