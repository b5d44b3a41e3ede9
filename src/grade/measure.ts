/** Judges sources of the task's own, to learn about the task: measured once, and remembered for all who ask. */
import type { LayerName } from "../model/manifest.ts";
import type { LayerOutcome } from "../model/outcome.ts";
import type { FileTree } from "../model/task.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import type { PassedRun } from "./judge.ts";
import { judgeLayer } from "./layer.ts";
import type { LayerPolicy } from "./layer-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";

/** One target's checks; numbers as text, since JSON has no 64-bit ones. */
export interface MeasuredProof {
  readonly checks: string;
  readonly chain: string;
}

/** What sources of the task's own came to. */
export interface Measured {
  readonly outcomes: Readonly<Partial<Record<LayerName, LayerOutcome>>>;
  /** By target that passed; null where repeats evaluated different checks. */
  readonly proofs: Readonly<Record<string, MeasuredProof | null>>;
  /** The most CPU time of one run, by target that passed, in milliseconds. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** The layers of every ordinary grade. */
export const ordinaryLayers = ["visible", "hidden"] as const;

/** Outcomes and checks of sources under these layers. Leaks are reported and no proof is compared. */
export function measureSources(
  context: GradeContext,
  sources: FileTree,
  layers: readonly LayerName[] = ordinaryLayers,
): Promise<Measured> {
  const { task, toolchain, cache } = context;
  const files = [...sources].sort(([a], [b]) => (a < b ? -1 : 1)).flat();
  const key = digestOf("measured", task.digest, toolchain.digest, layers.join(), ...files);
  return cache.json("record", key, () => measure(context, sources, layers));
}

/** Whether sources pass these layers without a leak. */
export function isLeakFree({ outcomes }: Measured): boolean {
  return Object.values(outcomes).every(({ status, ...rest }) => {
    return status === "pass" && !("findings" in rest && rest.findings !== undefined);
  });
}

async function measure(
  context: GradeContext,
  sources: FileTree,
  names: readonly LayerName[],
): Promise<Measured> {
  const { layers } = await prepareLayers(context, names, layTree(context, sources), undefined);
  const proofs: Record<string, MeasuredProof | null> = {};
  const cpuMs: Record<string, number> = {};
  const policy: LayerPolicy = {
    leaksFail: () => Promise.resolve(false),
    oddProof: ({ name }, runs) => {
      proofs[name] = commonProof(runs);
      cpuMs[name] = Math.max(...runs.map((run) => run.cpuMs));
      return Promise.resolve(null);
    },
  };
  const judged = [...layers].map(async ([name, layer]): Promise<[LayerName, LayerOutcome]> => {
    if (layer.status === "decided") return [name, layer.outcome];
    return [name, await judgeLayer(context.machine, layer.targets, policy)];
  });
  return { outcomes: Object.fromEntries(await Promise.all(judged)), proofs, cpuMs };
}

function commonProof([first, ...others]: readonly PassedRun[]): MeasuredProof | null {
  if (first === undefined) return null;
  const agree = others.every(({ checks, chain }) => checks === first.checks && chain === first.chain);
  return agree ? { checks: String(first.checks), chain: String(first.chain) } : null;
}
