/** Which mutants are built together, and which on their own. */
import { type Task, isUnit } from "../../model/task.ts";
import type { Mutant } from "../mutate/mutant.ts";

export interface BuildPlan {
  /** Each list becomes one object. */
  readonly together: readonly (readonly Mutant[])[];
  readonly alone: readonly Mutant[];
}

/**
 * A compile costs a fixed part and one for each body, and every body in an object slows its neighbours' runs down,
 * since sanitised frames grow with them. Measured on the bounded queue, the sum is flat from 40 to 120.
 */
const perBuild = 80;

/** Mutants of headers go together, because every test is compiled again with them. */
export function planBuilds(task: Pick<Task, "layers">, mutants: readonly Mutant[]): BuildPlan {
  const isSwitched = ({ body }: Mutant) => body?.switchable === true;
  // An isolated candidate is served by a process of its own, which the launcher starts once.
  const targets = [...task.layers.visible, ...task.layers.hidden];
  if (targets.some(({ isolation }) => isolation === "process")) return { together: [], alone: mutants };
  const switched = mutants.filter(isSwitched);
  const inUnits = switched.filter(({ file }) => isUnit(file));
  const inHeaders = switched.filter(({ file }) => !isUnit(file));
  return {
    together: [...chunksOf(inUnits, perBuild), ...chunksOf(inHeaders, perBuild * 2)],
    alone: mutants.filter((mutant) => !isSwitched(mutant)),
  };
}

/** Lists of nearly the same length, none longer than `most`. */
export function chunksOf<T>(items: readonly T[], most: number): T[][] {
  const count = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
