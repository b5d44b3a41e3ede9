/** What became of a mutant: one union, from "does not compile" to "survived". */
import type { FailCause } from "../../model/outcome.ts";

/** How the layers answered one mutant. */
export type Fate =
  /** Neither with the visible tests nor by itself. */
  | { readonly status: "does-not-compile" }
  | { readonly status: "killed"; readonly by: "visible" | "hidden"; readonly cause: FailCause }
  /** Every layer passed. `seeds` says that some seeds of a drawing target do kill it: `2 of 3`. */
  | { readonly status: "survived"; readonly seeds?: string };

/** Whether the shown tests let it through, so that it counts for the oracle. */
export function passesVisible(fate: Fate): boolean {
  return fate.status === "survived" || (fate.status === "killed" && fate.by === "hidden");
}
