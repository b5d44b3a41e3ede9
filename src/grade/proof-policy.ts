/** What the completion proof must say beyond "it ran to its end": the reference's own count and chain of checks. */
import type { Target } from "../model/task.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { runOnce } from "./layer.ts";
import type { ExpectedProof } from "./layer-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";
import { recordedTree } from "./recorded.ts";

/** One target's checks as correct candidates evaluated them; numbers as text, since JSON has no 64-bit ones. */
export interface ProofProfile {
  readonly checks: string;
  readonly chain: string;
}

/** Key under which calibration keeps what it found; bound to task, compiler and recorded patches. */
export function proofKey(context: GradeContext, target: Target, how: "exact" | "calibrated"): string {
  const { task, toolchain } = context;
  const recorded = [task.reference, ...task.alternatives].map((patch) => patch?.bytes ?? "");
  return digestOf("proof", how, task.digest, toolchain.digest, target.name, ...recorded);
}

/**
 * With `proof: "exact"` the reference's run decides, measured once. With `"auto"` what calibration found
 * equal for the reference and every alternative; nothing where it found a difference or never ran.
 */
export async function expectedProof(context: GradeContext, target: Target): Promise<ExpectedProof | null> {
  const { task, cache } = context;
  if (task.manifest.proof === "completion") return null;
  const how = task.manifest.proof === "exact" ? "exact" : "calibrated";
  const key = proofKey(context, target, how);
  const known = cache.readJson("record", key) as ProofProfile | null | undefined;
  if (known) return { checks: BigInt(known.checks), chain: BigInt(known.chain) };
  if (how === "calibrated" || !task.reference) return null;
  const measured = await measure(context, target);
  if (measured) {
    const profile: ProofProfile = { checks: String(measured.checks), chain: String(measured.chain) };
    cache.writeJson("record", key, profile);
  }
  return measured;
}

async function measure(context: GradeContext, target: Target): Promise<ExpectedProof | null> {
  const { task, machine } = context;
  if (!task.reference) return null;
  const tree = layTree(context, recordedTree(task, task.reference));
  const { layers } = await prepareLayers(context, [target.layer], tree, undefined);
  const layer = layers.get(target.layer);
  const ready =
    layer?.status === "ready" ? layer.targets.find((t) => t.target.name === target.name) : undefined;
  const verdict = ready && (await runOnce(machine, ready));
  return verdict?.status === "pass" ? { checks: verdict.checks, chain: verdict.chain } : null;
}
