/** From two layer outcomes to one token, and from a token to its exit code. */
import type { LayerOutcome } from "./outcome.ts";

export const tokens = ["PASS", "OVERFIT", "FAIL_VISIBLE", "FAIL_BOTH", "REJECTED"] as const;
/** The one word that `grade` prints. */
export type Token = (typeof tokens)[number];

export const rejectReasons = [
  "malformed",
  "does-not-apply",
  "out-of-scope",
  "no-change",
  "tampering",
] as const;
/** Why a patch could not be judged through its own fault. */
export type RejectReason = (typeof rejectReasons)[number];

/** Exit status of `grade` for each token. */
export const exitOf: Readonly<Record<Token, number>> = {
  PASS: 0,
  FAIL_BOTH: 2,
  FAIL_VISIBLE: 3,
  OVERFIT: 4,
  REJECTED: 5,
};

/** Tokens that speak of both layers: everything but REJECTED. */
export type JudgedToken = Exclude<Token, "REJECTED">;

/**
 * The token for two judged layers, or `null` when either was not really judged.
 * Nothing but `pass` and `fail` ever makes a token.
 */
export function tokenOf(visible: LayerOutcome, hidden: LayerOutcome): JudgedToken | null {
  if (visible.status === "error" || hidden.status === "error") return null;
  if (visible.status === "pass") return hidden.status === "pass" ? "PASS" : "OVERFIT";
  return hidden.status === "pass" ? "FAIL_VISIBLE" : "FAIL_BOTH";
}
