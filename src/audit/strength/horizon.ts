/** How far the oracle looks along each quantity: the largest 2^k at which a planted fault is still caught. */
import type { Horizon } from "../../model/strength.ts";
import type { Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";

/** One observable quantity, and a fault that shows itself from 2^k of it on. */
export interface Probe {
  readonly quantity: string;
  readonly kind: string;
  at(k: number): Mutant | null;
}

/** What judges mutants. */
export type JudgeAll = (mutants: readonly Mutant[]) => Promise<ReadonlyMap<Mutant, Fate>>;

/** Exponents that are tried first; the gap between the last that is caught and the next is filled afterwards. */
const coarse = [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 63] as const;

/** Two rounds of judging: one on a grid, one between two points of it. */
export async function measureHorizons(probes: readonly Probe[], judge: JudgeAll): Promise<Horizon[]> {
  const ladders = probes.map((probe) => ({ probe, rungs: rungsOf(probe, coarse) }));
  const first = await judge(ladders.flatMap(({ rungs }) => [...rungs.values()]));
  const finer = ladders.map(({ probe, rungs }) => {
    const [low, high] = edgeOf(rungs, first);
    const between = Array.from({ length: Math.max(0, high - low - 1) }, (_, i) => low + 1 + i);
    return { probe, rungs: new Map([...rungs, ...rungsOf(probe, between)]) };
  });
  const missing = finer.flatMap(({ rungs }) => [...rungs.values()].filter((mutant) => !first.has(mutant)));
  const all = new Map([...first, ...(await judge(missing))]);
  return finer.flatMap(({ probe, rungs }) => horizonOf(probe, rungs, all));
}

function rungsOf(probe: Probe, exponents: readonly number[]): Map<number, Mutant> {
  return new Map(
    exponents.flatMap((k): [number, Mutant][] => {
      const mutant = probe.at(k);
      return mutant === null ? [] : [[k, mutant]];
    }),
  );
}

/** The last exponent below which everything is caught, and the first that isn't. */
function edgeOf(rungs: ReadonlyMap<number, Mutant>, fates: ReadonlyMap<Mutant, Fate>): [number, number] {
  let low = -1;
  for (const [k, mutant] of [...rungs].sort(([a], [b]) => a - b)) {
    const status = fates.get(mutant)?.status;
    if (status === "survived") return [low, k];
    if (status === "killed") low = k;
  }
  return [low, low];
}

function horizonOf(
  { quantity, kind }: Probe,
  rungs: ReadonlyMap<number, Mutant>,
  fates: ReadonlyMap<Mutant, Fate>,
): Horizon[] {
  const tried = [...rungs].filter(([, mutant]) => fates.get(mutant)?.status !== "does-not-compile");
  if (tried.length === 0) return [];
  const [low] = edgeOf(new Map(tried), fates);
  const highest = Math.max(...tried.map(([k]) => k));
  return [{ quantity, kind, caught: low < 0 ? null : low, tried: highest }];
}
