/** What the layers said to a mutant, before it is held against other mutants and the waivers. */
import type { MutantFate } from "../../model/strength.ts";

/** How the layers answered one mutant. */
export type Fate = Extract<MutantFate, { status: "does-not-compile" | "killed" | "survived" }>;

/** Whether the shown tests let it through, so that it counts for the oracle. */
export function passesVisible(fate: Fate): boolean {
  return fate.status === "survived" || (fate.status === "killed" && fate.by === "hidden");
}
