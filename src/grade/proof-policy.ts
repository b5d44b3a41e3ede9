/** What the completion proof must say beyond "it ran to its end": the reference's own count and chain of checks. */
import type { RecordedPatch, Target } from "../model/task.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { runOnce } from "./layer.ts";
import type { ExpectedProof } from "./layer-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";
import { recordedTree } from "./recorded.ts";

/** One target's checks as correct candidates evaluated them; numbers as text, since JSON has no 64-bit ones. */
interface ProofProfile {
  readonly checks: string;
  readonly chain: string;
}

/** What was measured for a target; null where correct candidates differ. */
type Kept = { readonly profile: ProofProfile | null };

/**
 * With `proof: "exact"` the reference's run decides. With `"auto"` it does so where the reference and every
 * alternative, of which there must be one, evaluate the very same checks. Measured once for a task, when a
 * candidate would pass for the first time.
 */
export async function expectedProof(context: GradeContext, target: Target): Promise<ExpectedProof | null> {
  const { task, cache, toolchain } = context;
  const { proof } = task.manifest;
  if (proof === "completion" || !task.reference || target.seed === true) return null;
  const models = proof === "exact" ? [task.reference] : [task.reference, ...task.alternatives];
  if (proof === "auto" && models.length === 1) return null;
  const recorded = models.map(({ bytes }) => bytes);
  const key = digestOf("proof", proof, task.digest, toolchain.digest, target.name, ...recorded);
  const known = cache.readJson("record", key) as Kept | undefined;
  const profile = known ? known.profile : await measure(context, target, models);
  if (!known) cache.writeJson("record", key, { profile } satisfies Kept);
  return profile && { checks: BigInt(profile.checks), chain: BigInt(profile.chain) };
}

/** What all models agree on. A model that doesn't pass, or checks differently, says that nothing can be expected. */
async function measure(
  context: GradeContext,
  target: Target,
  models: readonly RecordedPatch[],
): Promise<ProofProfile | null> {
  const profiles = await Promise.all(models.map((model) => profileOf(context, target, model)));
  const [first, ...others] = profiles;
  if (!first) return null;
  const agree = others.every((other) => other?.checks === first.checks && other.chain === first.chain);
  return agree ? first : null;
}

async function profileOf(
  context: GradeContext,
  target: Target,
  model: RecordedPatch,
): Promise<ProofProfile | null> {
  const tree = layTree(context, recordedTree(context.task, model));
  const { layers } = await prepareLayers(context, [target.layer], tree, undefined);
  const layer = layers.get(target.layer);
  const ready =
    layer?.status === "ready" ? layer.targets.find((t) => t.target.name === target.name) : undefined;
  const verdict = ready && (await runOnce(context.machine, ready));
  return verdict?.status === "pass" ? { checks: String(verdict.checks), chain: String(verdict.chain) } : null;
}
