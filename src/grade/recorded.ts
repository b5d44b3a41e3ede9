/** The task's own recorded patches, applied. */
import { GraderError } from "../model/errors.ts";
import { type AppliedPatch, applyPatchText, type PatchResult, type PatchScope } from "../model/patch.ts";
import type { FileTree, RecordedPatch, Task } from "../model/task.ts";

/** What the task lets a patch touch. */
export function scopeOf(task: Task): PatchScope {
  const { sources, protect, scope } = task.manifest;
  return { sources, protect, mode: scope };
}

/** Applies a patch to the task's baseline. */
export function applyToTask(task: Task, patch: Uint8Array): PatchResult {
  return applyPatchText(patch, task.sources, scopeOf(task));
}

/** The sources with a recorded patch applied. @throws GraderError 65 when it doesn't apply. */
export function recordedTree(task: Task, recorded: RecordedPatch): FileTree {
  const result = applyToTask(task, Buffer.from(recorded.bytes, "latin1"));
  if (result.status === "applied") return (result satisfies AppliedPatch).tree;
  throw new GraderError(65, `a recorded patch can't be applied · ${recorded.path} · ${result.message}`, {
    hint: "record it again against the present sources",
  });
}
