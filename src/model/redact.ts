/** What a reader may know who must not learn of the hidden layer: five words, and the shown layer's own detail. */
import { ExitCode, GraderError } from "./errors.ts";
import type { GradeRecord, RecordedLayer } from "./record.ts";
import { exitOf } from "./verdict.ts";

/** The words for such a reader. FAIL_VISIBLE and FAIL_BOTH share theirs: which of them it was would tell the hidden verdict. */
export const agentWords = ["rejected", "build failed", "visible failed", "overfit", "pass"] as const;
export type AgentWord = (typeof agentWords)[number];

/** A verdict as an agent may see it. */
export interface AgentReport {
  readonly word: AgentWord;
  /** Exit status of `grade --audience agent`. */
  readonly exit: number;
  /** About the patch's own text or the shown layer alone; empty for `overfit` and `pass`. */
  readonly lines: readonly string[];
}

const agentExit: Readonly<Record<AgentWord, number>> = {
  rejected: exitOf.REJECTED,
  "build failed": exitOf.FAIL_BOTH,
  "visible failed": exitOf.FAIL_BOTH,
  overfit: exitOf.OVERFIT,
  pass: exitOf.PASS,
};

type Judged = Pick<GradeRecord, "verdict" | "reason" | "message"> & {
  readonly layers: { readonly visible?: RecordedLayer | undefined };
};

/** The one function that decides what leaves for such a reader; null where there is no verdict. */
export function redact(record: Judged): AgentReport | null {
  switch (record.verdict) {
    case null:
      return null;
    case "PASS":
      return reportOf("pass", []);
    case "OVERFIT":
      return reportOf("overfit", []);
    case "REJECTED":
      return redactRejection(record);
    case "FAIL_VISIBLE":
    case "FAIL_BOTH":
      return failureOf(record.layers.visible);
  }
}

/**
 * `rejected` costs no label, so it may only be said of what the patch and the shown layer alone give away. What only
 * the hidden tests' words make tampering is told as what those who don't know them see: see docs/hygiene.md.
 */
function redactRejection(record: Judged): AgentReport | null {
  const { visible } = record.layers;
  switch (visible?.status) {
    case undefined:
      return reportOf("rejected", rejectionLines(record));
    case "error":
      return null;
    case "pass":
      return reportOf("overfit", []);
    case "fail":
      return failureOf(visible);
  }
}

function failureOf(visible: RecordedLayer | undefined): AgentReport {
  return reportOf(isBuildFailure(visible) ? "build failed" : "visible failed", layerLines(visible));
}

function reportOf(word: AgentWord, lines: readonly string[]): AgentReport {
  return { word, exit: agentExit[word], lines };
}

/** Tampering is named and no more: its rules are not for those who would look for a way around them. */
function rejectionLines({ reason, message }: Judged): string[] {
  if (reason === undefined) return [];
  return [reason === "tampering" || message === undefined ? reason : `${reason} · ${message}`];
}

function isBuildFailure(layer: RecordedLayer | undefined): boolean {
  return layer?.status === "fail" && (layer.cause === "compile-error" || layer.cause === "link-error");
}

function layerLines(layer: RecordedLayer | undefined): string[] {
  if (layer?.status !== "fail") return [];
  const places = (layer.findings ?? []).map(({ kind, file, line, message }) => {
    const place = file === undefined ? "" : `${file}:${line ?? 0}: `;
    return `${place}${message ?? kind}`;
  });
  const more = places.filter((place) => place !== layer.detail);
  return [`${layer.cause} · ${layer.detail}`, ...more];
}

const plainFault: Readonly<Record<number, { message: string; hint: string }>> = {
  [ExitCode.badTask]: { message: "the task is at fault, not the patch", hint: "ask who keeps the task" },
  [ExitCode.unavailable]: {
    message: "this machine lacks a program that grading needs",
    hint: "ask who keeps the machine to run `hidden-oracle doctor`",
  },
  [ExitCode.tryAgain]: { message: "the machine could not judge the patch", hint: "try again later" },
};

/** A fault as an agent may see it: what a task or a machine says of itself may speak of the hidden layer. */
export function redactFault(fault: GraderError): GraderError {
  const { exit } = fault;
  if (exit === ExitCode.usage || exit === ExitCode.noInput) return fault;
  if (exit === ExitCode.interrupted || exit === ExitCode.terminated) return fault;
  const { message, hint } = plainFault[exit] ?? {
    message: "the grader failed",
    hint: "ask who keeps the task",
  };
  return new GraderError(exit, message, { hint });
}
