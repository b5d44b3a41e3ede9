/** Holds survivors against the task's waivers, and waivers against the mutants that there are. */
import type { Manifest } from "../../model/manifest.ts";
import type { MutantFate, StrengthFinding } from "../../model/strength.ts";
import type { Mutant } from "../mutate/mutant.ts";

type Waiver = Manifest["waivers"][number];

/** Survivors with a waiver become waived; whatever the oracle kills stays killed. */
export function waive(
  fates: ReadonlyMap<Mutant, MutantFate>,
  waivers: readonly Waiver[],
): Map<Mutant, MutantFate> {
  const byId = new Map(waivers.map((waiver) => [waiver.mutant, waiver]));
  return new Map(
    [...fates].map(([mutant, fate]) => {
      const waiver = byId.get(mutant.id);
      if (waiver === undefined || fate.status !== "survived") return [mutant, fate];
      return [mutant, { status: "waived", category: waiver.category, reason: waiver.reason }];
    }),
  );
}

/** Waivers of mutants that don't exist, or no longer in the file that they name. */
export function staleWaivers(mutants: readonly Mutant[], waivers: readonly Waiver[]): StrengthFinding[] {
  const files = new Map(mutants.map(({ id, file }) => [id, file]));
  return waivers.flatMap(({ mutant, file }) => {
    const found = files.get(mutant);
    if (found !== undefined && (file === undefined || file === found)) return [];
    const why =
      found === undefined ? "there is no such mutant" : `that mutant is in ${found}, not in ${file}`;
    return [{ kind: "stale-waiver" as const, message: `waiver of ${mutant}: ${why}` }];
  });
}

/** Waivers of mutants that need none. */
export function needlessWaivers(
  fates: ReadonlyMap<Mutant, MutantFate>,
  waivers: readonly Waiver[],
): string[] {
  const byId = new Map([...fates].map(([mutant, fate]) => [mutant.id, fate]));
  return waivers.flatMap(({ mutant }) => {
    const fate = byId.get(mutant);
    if (fate === undefined || fate.status === "waived") return [];
    const what = fate.status === "killed" ? `the ${fate.by} layer kills it` : `it is ${fate.status}`;
    return [`the waiver of ${mutant} is not needed: ${what}`];
  });
}
