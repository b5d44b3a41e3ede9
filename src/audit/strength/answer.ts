/** One run of one variant → what its layer says to it, as a grade would. */
import { constants } from "node:os";
import { oomKills } from "../../grade/build-step.ts";
import { judgeRun } from "../../grade/judge.ts";
import type { LayerPolicy } from "../../grade/layer-policy.ts";
import { type ReadyTarget, type RunReport, sanitizerExit } from "../../grade/run-test.ts";
import type { FailCause } from "../../model/outcome.ts";

/** What one run says. CPU time is the run's own, in milliseconds. */
export type Answer =
  | { readonly status: "pass"; readonly cpuMs: number }
  | { readonly status: "fail"; readonly cause: FailCause };

/** Leaks and the count of checks are held against the reference, as in a grade. @throws GraderError 69, 75 */
export async function answerOf(report: RunReport, ready: ReadyTarget, policy: LayerPolicy): Promise<Answer> {
  const verdict = judgeRun(report, ready.target, oomKills());
  if (verdict.status === "fail") return { status: "fail", cause: plainCause(report) ?? verdict.cause };
  if (verdict.leak && (await policy.leaksFail())) return { status: "fail", cause: "leak" };
  if ((await policy.oddProof(ready.target, [verdict])) !== null)
    return { status: "fail", cause: "tampering" };
  return { status: "pass", cpuMs: verdict.cpuMs };
}

/** Causes that a grade reads from what was printed, told from how the process ended. */
function plainCause({ status, proof }: RunReport): FailCause | undefined {
  if (status.end === null || proof.kind !== "none") return undefined;
  if (status.end.signal === constants.signals.SIGPROF) return "timeout";
  if (status.end.exitCode === sanitizerExit.address) return "asan";
  if (status.end.exitCode === sanitizerExit.undefined) return "ubsan";
  return undefined;
}
