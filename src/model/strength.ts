/** How much an oracle sees: what became of every mutant, the score, the horizons, and what is wrong with the task. */
import type { FailCause } from "./outcome.ts";
import type { Token } from "./verdict.ts";

/** Why a surviving mutant need not die, in the words of a waiver. */
export const waiverCategories = ["equivalent", "infeasible", "out-of-contract"] as const;
export type WaiverCategory = (typeof waiverCategories)[number];

/** What became of one mutant. Only `killed` by the hidden layer and `survived` count for the strength. */
export type MutantFate =
  | { readonly status: "does-not-compile" }
  | { readonly status: "killed"; readonly by: "visible" | "hidden"; readonly cause: FailCause }
  /** `seeds`: some seeds of a target that draws its cases do kill it, such as `2 of 3`. */
  | { readonly status: "survived"; readonly seeds?: string }
  /** Compiles to the reference's own code. */
  | { readonly status: "equivalent" }
  /** Compiles to the same code as an earlier mutant, which counts in its place. */
  | { readonly status: "duplicate"; readonly of: string }
  | { readonly status: "waived"; readonly category: WaiverCategory; readonly reason: string };

/** A place in a source file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One mutant as reports show it. Everything is text of the reference's sources; nothing is the oracle's. */
export interface ReportedMutant {
  readonly id: string;
  readonly file: string;
  readonly start: Position;
  /** One past the last character. */
  readonly end: Position;
  readonly operator: string;
  readonly family: string;
  /** What stands between start and end in place of the reference's text. */
  readonly replacement: string;
  /** What it would mean if it survived. */
  readonly meaning: string;
  /** A small diff with file and line. */
  readonly diff: string;
  readonly fate: MutantFate;
}

/** How far one quantity is watched. */
export interface Horizon {
  /** For example `operations of push`. */
  readonly quantity: string;
  readonly kind: string;
  /** Largest k for which a fault planted at 2^k is caught, and all below; null where not even the first is. */
  readonly caught: number | null;
  /** Largest k that was tried. */
  readonly tried: number;
}

/** A recorded patch that must pass, and what it got. */
export interface SoundnessCheck {
  readonly patch: string;
  readonly role: "reference" | "alternative";
  readonly verdict: Token | null;
  readonly why?: string;
}

/** Something that makes exit status 6. */
export interface StrengthFinding {
  readonly kind: "over-specifies" | "stale-waiver" | "empty-universe" | "below-minimum";
  readonly message: string;
}

/** Counts of mutants, and the scores made of them. */
export interface StrengthScore {
  readonly generated: number;
  readonly notCompiled: number;
  readonly killedByVisible: number;
  readonly equivalent: number;
  readonly duplicates: number;
  readonly waived: number;
  /** Mutants that pass the visible layer and count: killed by the hidden one, or survivors. */
  readonly universe: number;
  readonly killed: number;
  readonly survived: number;
  /** Killed by the hidden layer of the universe, 0 to 1; null when the universe is empty. */
  readonly strength: number | null;
  /** The customary score, which counts what the visible layer kills as well; flattering. */
  readonly common: number | null;
}

/** All that one analysis found. */
export interface StrengthReport {
  readonly schemaVersion: 1;
  readonly task: { readonly id: string; readonly digest: string };
  readonly compiler: string;
  readonly score: StrengthScore;
  readonly mutants: readonly ReportedMutant[];
  readonly horizons: readonly Horizon[];
  /** How many faults were planted for the horizons; they are not among the mutants. */
  readonly probes: number;
  readonly soundness: readonly SoundnessCheck[];
  readonly findings: readonly StrengthFinding[];
  /** What a reader should know of how it was measured. */
  readonly notes: readonly string[];
  /** The reference's sources, by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/** Counts fates. */
export function scoreOf(fates: readonly MutantFate[]): StrengthScore {
  const count = (status: MutantFate["status"]) => fates.filter((fate) => fate.status === status).length;
  const by = (layer: "visible" | "hidden") =>
    fates.filter((fate) => fate.status === "killed" && fate.by === layer).length;
  const [killedByVisible, killed, survived] = [by("visible"), by("hidden"), count("survived")];
  const universe = killed + survived;
  return {
    generated: fates.length,
    notCompiled: count("does-not-compile"),
    killedByVisible,
    equivalent: count("equivalent"),
    duplicates: count("duplicate"),
    waived: count("waived"),
    universe,
    killed,
    survived,
    strength: universe === 0 ? null : killed / universe,
    common: universe === 0 ? null : (killed + killedByVisible) / (universe + killedByVisible),
  };
}

/** A share as percent with one digit, rounded down: what is not all of it never reads as 100. */
export function percent(share: number): string {
  return (Math.floor(share * 1000 + 1e-9) / 10).toFixed(1);
}

/** Chance of accepting a wrong patch that a loop may run, and the share of wrong answers that look like survivors. */
const [acceptableRisk, plausibleShare] = [0.05, 0.4];

/**
 * How many verdicts of the hidden layer one loop may learn before a patch that the oracle can't tell from a right
 * one becomes likelier than 5 in 100: each try that passes the shown tests is wrong in a way that the oracle
 * doesn't see with the chance (1 - strength) · 0.4. Infinity where the oracle sees everything.
 */
export function queryBudgetFor(strength: number): number {
  const missed = (1 - strength) * plausibleShare;
  return missed <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(acceptableRisk / missed));
}
