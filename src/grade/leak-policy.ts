/** Whether a memory leak fails a layer: only where the task can be leak-free at all. */
import type { FileTree } from "../model/task.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { judgeLeniently } from "./lenient-run.ts";
import { recordedTree } from "./recorded.ts";

/**
 * Asked only when a leak was seen. With `memoryLeaks: "auto"` a leak counts if the reference (or else the
 * baseline) completes every layer without one; that is measured once for a task and remembered.
 */
export async function leaksFail(context: GradeContext): Promise<boolean> {
  const { task, cache, toolchain } = context;
  if (task.manifest.memoryLeaks !== "auto") return task.manifest.memoryLeaks === "fail";
  const model = task.reference ? recordedTree(task, task.reference) : task.sources;
  const key = digestOf("leak-free", task.digest, toolchain.digest, task.reference?.bytes ?? "");
  const known = cache.readJson("record", key) as { leakFree: boolean } | undefined;
  if (typeof known?.leakFree === "boolean") return known.leakFree;
  const leakFree = await runsLeakFree(context, model);
  cache.writeJson("record", key, { leakFree });
  return leakFree;
}

/** Whether sources pass both layers without a leak. Leaks are only reported there, so that this never asks itself. */
async function runsLeakFree(context: GradeContext, sources: FileTree): Promise<boolean> {
  const outcomes = await judgeLeniently(context, sources);
  return [...outcomes.values()].every(
    (outcome) => outcome.status === "pass" && outcome.findings === undefined,
  );
}
