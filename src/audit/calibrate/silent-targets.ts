/** Targets that check nothing, as far as the task's own sources tell. */
import { digestOf } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import { type Measured, measureSources } from "../../grade/measure.ts";
import { applyToTask } from "../../grade/recorded.ts";
import type { FailCause } from "../../model/outcome.ts";
import type { FileTree, Target, Task } from "../../model/task.ts";

/** Causes that only a check of the test itself can bring about. */
const ownChecks: readonly FailCause[] = ["assertion", "nonzero-exit"];

/**
 * Targets that evaluate no assertion under the reference, and no check of which the baseline or a recorded wrong patch
 * fails. Each is asked alone: in its layer another one may fail first.
 */
export async function silentTargets(context: GradeContext, right: Measured | null): Promise<Set<Target>> {
  const targets = Object.values(context.task.layers).flat();
  const silent = new Set<Target>();
  for (const target of targets)
    if (right?.proofs[target.name]?.checks === "0" && !(await hasFailed(context, target))) silent.add(target);
  return silent;
}

async function hasFailed(context: GradeContext, target: Target): Promise<boolean> {
  const task = taskOf(context.task, target);
  for (const sources of wrongSources(context.task)) {
    const { outcomes } = await measureSources({ ...context, task }, sources, [target.layer]);
    const outcome = outcomes[target.layer];
    if (outcome?.status === "fail" && ownChecks.includes(outcome.cause)) return true;
  }
  return false;
}

function* wrongSources(task: Task): Generator<FileTree> {
  yield task.sources;
  for (const { bytes, expected } of task.recorded) {
    const patched = expected === "PASS" ? undefined : applyToTask(task, Buffer.from(bytes, "latin1"));
    if (patched?.status === "applied") yield patched.tree;
  }
}

function taskOf(task: Task, target: Target): Task {
  const none = { visible: [], hidden: [], reserve: [] };
  return {
    ...task,
    digest: digestOf("target", task.digest, target.name),
    layers: { ...none, [target.layer]: [target] },
  };
}
