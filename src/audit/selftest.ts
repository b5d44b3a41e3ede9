/** Grades the shipped corpus on this machine: how many attacks come out as PASS, how many honest patches don't. */
import { readFileSync } from "node:fs";
import pLimit from "p-limit";
import type { GradeContext } from "../grade/context.ts";
import { grade } from "../grade/grade.ts";
import type { GradeRecord } from "../model/record.ts";
import type { Target, Task } from "../model/task.ts";
import type { CorpusPatch } from "./corpus.ts";

/** What one patch of the corpus came to. */
export interface SelftestResult {
  readonly patch: CorpusPatch;
  readonly record: GradeRecord;
  readonly asExpected: boolean;
}

/** The two rates that matter, as counts. */
export interface SelftestSummary {
  readonly attacks: number;
  readonly falsePass: number;
  readonly honest: number;
  readonly falseAlarms: number;
  /** Other answers than expected, neither of the above. */
  readonly otherwise: number;
}

/** Opens a context for a task of the corpus; the caller owns what it opens. */
export type OpenCorpusTask = (folder: string) => Promise<GradeContext>;

/**
 * Grades every patch anew and calls `onResult` for each, in the order in which they end.
 *
 * @throws GraderError when the machine can't judge; a selftest with gaps would say too much.
 */
export async function runSelftest(
  patches: readonly CorpusPatch[],
  open: OpenCorpusTask,
  onResult: (result: SelftestResult) => void,
): Promise<SelftestSummary> {
  const contexts = new Map<string, Promise<GradeContext>>();
  const contextOf = (folder: string) => {
    const opened = contexts.get(folder) ?? open(folder);
    contexts.set(folder, opened);
    return opened;
  };
  const results: SelftestResult[] = [];
  const first = patches[0];
  const limit = pLimit(first === undefined ? 1 : (await contextOf(first.task)).machine.jobs + 1);
  const judgeOne = async (patch: CorpusPatch) => {
    const context = await contextOf(patch.task);
    const task = withLimits(context.task, patch.limits);
    const record = await grade({ ...context, task }, { kind: "patch", bytes: readFileSync(patch.patch) });
    const result = { patch, record, asExpected: isExpected(patch, record) };
    results.push(result);
    onResult(result);
  };
  await Promise.all(patches.map((patch) => limit(() => judgeOne(patch))));
  return summarise(results);
}

function isExpected(patch: CorpusPatch, record: GradeRecord): boolean {
  return record.verdict !== null && patch.answers.includes(record.verdict);
}

/** Counts of a selftest. An attack that ends as PASS is a false PASS whatever its folder says. */
export function summarise(results: readonly SelftestResult[]): SelftestSummary {
  const attacks = results.filter(({ patch }) => patch.kind === "attack");
  const honest = results.filter(({ patch }) => patch.kind === "honest");
  const falsePass = attacks.filter(({ record }) => record.verdict === "PASS").length;
  const falseAlarms = honest.filter(({ record }) => record.verdict !== "PASS").length;
  const unexpected = results.filter(({ asExpected }) => !asExpected).length;
  return {
    attacks: attacks.length,
    falsePass,
    honest: honest.length,
    falseAlarms,
    otherwise: unexpected - falsePass - falseAlarms,
  };
}

/** The task with some limits of its targets and compiles replaced. */
function withLimits(task: Task, limits: CorpusPatch["limits"]): Task {
  if (limits === undefined) return task;
  const change = (target: Target): Target => ({ ...target, limits: { ...target.limits, ...limits } });
  const { visible, hidden, reserve } = task.layers;
  return {
    ...task,
    manifest: { ...task.manifest, limits: { ...task.manifest.limits, ...limits } },
    layers: { visible: visible.map(change), hidden: hidden.map(change), reserve: reserve.map(change) },
  };
}
