/** What the completion proof must say beyond "it ran to its end": the checks that correct sources evaluate. */
import { proofDigestOf } from "../model/certificate.ts";
import type { Target } from "../model/task.ts";
import type { GradeContext } from "./context.ts";
import type { PassedRun } from "./judge.ts";
import { type MeasuredProof, measureSources, ordinaryLayers } from "./measure.ts";
import { recordedTree } from "./recorded.ts";

/**
 * With `proof: "exact"` the reference's run decides. With `"auto"` it does so where the reference and every
 * alternative, of which there must be one, evaluate the very same checks. The certificate knows, or the
 * models are measured when a candidate would pass for the first time.
 *
 * @returns How the runs differ, or null where they don't or nothing can be expected.
 */
export async function oddProof(
  context: GradeContext,
  target: Target,
  runs: readonly PassedRun[],
): Promise<string | null> {
  const { calibration } = context;
  if (!expectsProof(context, target)) return null;
  if (calibration.status === "fresh") {
    const known = calibration.certificate.proofs[target.name];
    if (!known) return null;
    const odd = runs.find((run) => proofDigestOf(known.salt, run) !== known.digest);
    return odd ? `evaluated ${odd.checks} checks, not those that the reference evaluates` : null;
  }
  const expected = await measureProof(context, target);
  const odd = expected && runs.find((run) => !isSame(expected, run));
  if (!odd) return null;
  return String(odd.checks) === expected.checks
    ? `evaluated ${odd.checks} checks in another order than the reference`
    : `evaluated ${odd.checks} checks where the reference evaluates ${expected.checks}`;
}

/** What all correct sources agree on. A model that doesn't pass, or checks differently, says that nothing can be expected. */
export async function measureProof(context: GradeContext, target: Target): Promise<MeasuredProof | null> {
  const { task } = context;
  if (!task.reference || !expectsProof(context, target)) return null;
  const models = task.manifest.proof === "exact" ? [task.reference] : [task.reference, ...task.alternatives];
  const layers = target.layer === "reserve" ? (["reserve"] as const) : ordinaryLayers;
  const measured = await Promise.all(
    models.map((model) => measureSources(context, recordedTree(task, model), layers)),
  );
  const [first, ...others] = measured.map(({ proofs }) => proofs[target.name] ?? null);
  if (!first) return null;
  return others.every((other) => other?.checks === first.checks && other.chain === first.chain)
    ? first
    : null;
}

function expectsProof({ task }: GradeContext, target: Target): boolean {
  const { proof } = task.manifest;
  if (proof === "completion" || !task.reference || target.seed === true) return false;
  return proof === "exact" || task.alternatives.length > 0;
}

function isSame(expected: MeasuredProof, { checks, chain }: PassedRun): boolean {
  return String(checks) === expected.checks && String(chain) === expected.chain;
}
