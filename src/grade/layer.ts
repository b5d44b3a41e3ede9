/** Judges one layer: every target, every repeat, one outcome. */
import type { Finding, LayerOutcome } from "../model/outcome.ts";
import type { Machine } from "../sandbox/machine.ts";
import { oomKills } from "./build-step.ts";
import { assertCanaryLives } from "./canary.ts";
import { soundsLikeBrokenSanitizer } from "./findings.ts";
import { describe, judgeRun, type RunFailure, type RunVerdict } from "./judge.ts";
import type { LayerPolicy } from "./layer-policy.ts";
import { locateInTest } from "./locate-frame.ts";
import { type ReadyTarget, runTest } from "./run-test.ts";

/** What one target came to over all its repeats. */
type TargetVerdict = { readonly leak: Finding | null; readonly cpuMs: number } & (
  | { readonly status: "pass" }
  | (Omit<RunFailure, "cpuMs"> & { readonly name: string })
);

/** Runs all targets of a layer. The policy is asked only about what would otherwise pass. */
export async function judgeLayer(
  machine: Machine,
  ready: readonly ReadyTarget[],
  policy: LayerPolicy,
): Promise<LayerOutcome> {
  const started = performance.now();
  const verdicts = await Promise.all(ready.map((target) => judgeTarget(machine, target, policy)));
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
  if (await policy.leaksFail())
    return { status: "fail", cause: "leak", detail: describe(leak), findings: [leak], ...measured };
  return {
    status: "pass",
    detail: "leaks memory, which this task does not count",
    findings: [leak],
    ...measured,
  };
}

async function judgeTarget(
  machine: Machine,
  ready: ReadyTarget,
  policy: LayerPolicy,
): Promise<TargetVerdict> {
  const runs = Array.from({ length: ready.target.repeat }, () => runOnce(machine, ready));
  const verdicts = await Promise.all(runs);
  const cpuMs = verdicts.reduce((sum, v) => sum + v.cpuMs, 0);
  const { name } = ready.target;
  const failures = verdicts.filter((v) => v.status === "fail");
  const passes = verdicts.filter((v) => v.status === "pass");
  const [first] = failures;
  if (first === undefined) {
    const odd = await policy.oddProof(ready.target, passes);
    if (odd !== null)
      return { status: "fail", cause: "tampering", detail: odd, findings: [], name, leak: null, cpuMs };
    return { status: "pass", leak: passes.map((v) => v.leak).find((leak) => leak) || null, cpuMs };
  }
  if (passes.length === 0) return { ...first, name, leak: null, cpuMs };
  const detail = `${failures.length} of ${verdicts.length} runs failed (${first.cause}: ${first.detail})`;
  return { status: "fail", cause: "flaky", detail, findings: first.findings, name, leak: null, cpuMs };
}

/** One run of one target. */
export async function runOnce(machine: Machine, ready: ReadyTarget): Promise<RunVerdict> {
  const oomBefore = oomKills();
  const report = await runTest(machine, ready);
  const verdict = judgeRun(report, ready.target, oomBefore);
  if (verdict.status === "pass") return verdict;
  const printed = report.sandbox.stderr.text;
  // Text alone never makes an error: a program of ours under the very same limits must fail as well.
  const couldNotLoad = report.proof.kind === "load-failed" && !/undefined symbol/.test(report.proof.message);
  if (couldNotLoad || soundsLikeBrokenSanitizer(printed)) await assertCanaryLives(machine, ready);
  const [finding] = verdict.findings;
  if (finding === undefined || finding.file !== undefined) return verdict;
  const place = await locateInTest(machine, ready, printed);
  if (place === undefined) return verdict;
  const located = { ...finding, ...place };
  return { ...verdict, detail: describe(located), findings: [located] };
}
