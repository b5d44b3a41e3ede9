/** Judges one layer: every target, every repeat, one outcome. */
import type { Finding, LayerOutcome } from "../model/outcome.ts";
import type { Machine } from "../sandbox/machine.ts";
import { oomKills } from "./build-step.ts";
import { assertCanaryLives } from "./canary.ts";
import { soundsLikeBrokenSanitizer } from "./findings.ts";
import { describe, judgeRun, type RunFailure, type RunVerdict } from "./judge.ts";
import { type ReadyTarget, runTest } from "./run-test.ts";

/** What one target came to over all its repeats. */
type TargetVerdict = { readonly leak: Finding | null; readonly cpuMs: number } & (
  | { readonly status: "pass" }
  | (Omit<RunFailure, "cpuMs"> & { readonly name: string })
);

/**
 * Runs all targets of a layer. A leak is a finding; whether it fails the layer is `leakFails`' to say, who is
 * asked only when there is one.
 */
export async function judgeLayer(
  machine: Machine,
  ready: readonly ReadyTarget[],
  leakFails: () => Promise<boolean>,
): Promise<LayerOutcome> {
  const started = performance.now();
  const verdicts = await Promise.all(ready.map((target) => judgeTarget(machine, target)));
  const measured = {
    durationMs: Math.round(performance.now() - started),
    cpuMs: Math.round(verdicts.reduce((sum, v) => sum + v.cpuMs, 0)),
  };
  for (const verdict of verdicts) {
    if (verdict.status === "pass") continue;
    const { cause, findings } = verdict;
    const detail = ready.length > 1 ? `${verdict.name}: ${verdict.detail}` : verdict.detail;
    return { status: "fail", cause, detail, findings, ...measured };
  }
  const leak = verdicts.find((v) => v.leak !== null)?.leak;
  if (!leak) return { status: "pass", ...measured };
  if (await leakFails())
    return { status: "fail", cause: "leak", detail: describe(leak), findings: [leak], ...measured };
  return {
    status: "pass",
    detail: "leaks memory, as the task's own reference does",
    findings: [leak],
    ...measured,
  };
}

async function judgeTarget(machine: Machine, ready: ReadyTarget): Promise<TargetVerdict> {
  const runs = Array.from({ length: ready.target.repeat }, () => runOnce(machine, ready));
  const verdicts = await Promise.all(runs);
  const cpuMs = verdicts.reduce((sum, v) => sum + v.cpuMs, 0);
  const failures = verdicts.filter((v): v is RunFailure => v.status === "fail");
  const [first] = failures;
  const leaks = verdicts.flatMap((v) => (v.status === "pass" && v.leak ? [v.leak] : []));
  if (first === undefined) return { status: "pass", leak: leaks[0] ?? null, cpuMs };
  const { name } = ready.target;
  if (failures.length === verdicts.length) return { ...first, name, leak: null, cpuMs };
  const detail = `${failures.length} of ${verdicts.length} runs failed (${first.cause}: ${first.detail})`;
  return { status: "fail", cause: "flaky", detail, findings: first.findings, name, leak: null, cpuMs };
}

async function runOnce(machine: Machine, ready: ReadyTarget): Promise<RunVerdict> {
  const oomBefore = oomKills();
  const report = await runTest(machine, ready);
  const verdict = judgeRun(report, ready.target, oomBefore);
  // Text alone never makes an error: a program of ours under the very same limits must fail as well.
  if (verdict.status === "fail" && soundsLikeBrokenSanitizer(report.sandbox.stderr.text))
    await assertCanaryLives(machine, ready);
  return verdict;
}
