/** Whether a memory leak fails a layer: only where the task can be leak-free at all. */
import type { GradeContext } from "./context.ts";
import { isLeakFree, measureSources } from "./measure.ts";
import { recordedTree } from "./recorded.ts";

/**
 * Asked only when a leak was seen. With `memoryLeaks: "auto"` a leak counts if the reference (or else the
 * baseline) completes every layer without one: the certificate says so, or it is measured once.
 */
export async function leaksFail(context: GradeContext): Promise<boolean> {
  const { task, calibration } = context;
  if (task.manifest.memoryLeaks !== "auto") return task.manifest.memoryLeaks === "fail";
  if (calibration.status === "fresh") return calibration.certificate.leakFree;
  const model = task.reference ? recordedTree(task, task.reference) : task.sources;
  return isLeakFree(await measureSources(context, model));
}
