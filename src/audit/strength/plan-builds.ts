/** Which mutants are built together, and which on their own. */
import { type FileTree, isUnit, type Target, type Task } from "../../model/task.ts";
import type { Body, Mutant } from "../mutate/mutant.ts";
import { placesOf } from "./places.ts";
import type { Variant } from "./variants.ts";

export interface BuildPlan {
  /** Each list becomes one object; numbers begin anew in each. */
  readonly together: readonly (readonly Variant[])[];
  /** Each list becomes one program of copies; see `namespaces.ts`. */
  readonly copies: readonly (readonly Mutant[])[];
  readonly alone: readonly Mutant[];
}

/**
 * A compile costs a fixed part and one for each version, and every version in an object slows its neighbours'
 * runs down, since sanitised frames grow with them.
 */
const perBuild = 80;

/** The tests are most of what copies take to compile, so that more of them share little more. */
const perCopies = 17;

/** Its candidate is served by a process of its own, which the launcher starts once: no number can be chosen there. */
export function isIsolated({ isolation }: Pick<Target, "isolation">): boolean {
  return isolation === "process";
}

/** Mutants of headers go together, because every test is compiled again with them. */
export function planBuilds(
  task: Pick<Task, "layers">,
  files: FileTree,
  bodies: readonly Body[],
  mutants: readonly Mutant[],
): BuildPlan {
  // Whoever fails an isolated target of the visible layer must be known to before the oracle is asked.
  if (task.layers.visible.some(isIsolated)) return { together: [], copies: [], alone: mutants };
  const others: Mutant[] = [];
  const switched = mutants.flatMap((mutant) => {
    const places = placesOf(mutant, files.get(mutant.file) ?? "", bodies);
    if (places === null) others.push(mutant);
    return places === null ? [] : [{ mutant, places }];
  });
  const inUnits = switched.filter(({ mutant }) => isUnit(mutant.file));
  const inHeaders = switched.filter(({ mutant }) => !isUnit(mutant.file));
  const chunks = [...chunksOf(inUnits, perBuild), ...chunksOf(inHeaders, perBuild)];
  return {
    together: chunks.map((chunk) => chunk.map((part, i) => ({ ...part, number: i + 1 }))),
    copies: task.layers.hidden.some(isIsolated) ? [] : chunksOf(others, perCopies),
    alone: task.layers.hidden.some(isIsolated) ? others : [],
  };
}

/** Lists of nearly the same length, none longer than `most`. */
export function chunksOf<T>(items: readonly T[], most: number): T[][] {
  const count = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
