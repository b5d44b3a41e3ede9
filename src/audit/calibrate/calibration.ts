/** What a calibration says: one row a recorded patch, and what was found. */
import type { LayerName } from "../../model/manifest.ts";
import type { LayerOutcome } from "../../model/outcome.ts";
import type { Token } from "../../model/verdict.ts";

/** How the unpatched sources are called among the recorded patches. */
export const baselineName = "baseline";

/** One recorded patch, or the baseline, and what it came to. */
export interface CalibrationRow {
  readonly patch: string;
  readonly expected: Token;
  /** One for each time that it was graded. */
  readonly verdicts: readonly Token[];
  /** Outcomes of the first time. */
  readonly layers: Readonly<Partial<Record<LayerName, LayerOutcome>>>;
}

/** Why a calibration does not hold. */
export type CalibrationKind =
  | "baseline-green-visible"
  | "baseline-green-hidden"
  | "no-overfitting-patch"
  | "no-passing-patch"
  | "other-verdict"
  | "weak-oracle"
  | "flaky"
  | "assertions-off"
  | "silent-sanitizer"
  | "no-checks"
  | "reserve-fails"
  | "tight-limit";

/** One thing that was found, and what to do about it. */
export interface CalibrationFinding {
  readonly kind: CalibrationKind;
  /** The patch or the target that it is about. */
  readonly about: string;
  readonly message: string;
  readonly hint: string;
}

/** Whether every repeat gave the same token. */
export function isSteady({ verdicts }: CalibrationRow): boolean {
  return new Set(verdicts).size === 1;
}
