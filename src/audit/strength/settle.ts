/** What the layers said → what counts: equivalent and duplicate mutants are taken out by their code. */
import type { MutantFate } from "../../model/strength.ts";
import type { Mutant } from "../mutate/mutant.ts";
import type { Code } from "./compare-code.ts";
import type { Fate } from "./fate.ts";

/**
 * A survivor with the reference's code is equivalent. Of mutants with one code and one fate the first counts.
 * Mutants with one code and different fates all count: sanitizers see what optimised code no longer shows.
 */
export function settle(
  mutants: readonly Mutant[],
  fates: ReadonlyMap<Mutant, Fate>,
  codes: ReadonlyMap<Mutant, Code>,
): Map<Mutant, MutantFate> {
  const first = new Map<string, string>();
  const settled = new Map<Mutant, MutantFate>();
  for (const mutant of mutants) {
    const fate = fates.get(mutant);
    const code = codes.get(mutant);
    if (fate === undefined) continue;
    if (code === undefined) settled.set(mutant, fate);
    else if (code.isReference && fate.status === "survived") settled.set(mutant, { status: "equivalent" });
    else settled.set(mutant, firstOf(first, mutant, fate, code));
  }
  return settled;
}

function firstOf(first: Map<string, string>, mutant: Mutant, fate: Fate, code: Code): MutantFate {
  const key = `${fate.status} ${code.digest}`;
  const earlier = first.get(key);
  if (earlier !== undefined) return { status: "duplicate", of: earlier };
  first.set(key, mutant.id);
  return fate;
}
