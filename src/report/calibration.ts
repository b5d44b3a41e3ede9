/** A calibration in one table: what each recorded patch came to, and what was found. */
import type { Token } from "../model/verdict.ts";
import { type Paint, paintToken } from "./paint.ts";
import { alignColumns } from "./table.ts";

/** One recorded patch: its tokens, one for each time, and why. */
export interface CalibrationLine {
  readonly patch: string;
  readonly expected: Token;
  readonly verdicts: readonly Token[];
  readonly why: string;
}

/** One finding in words. */
export interface FindingLine {
  readonly kind: string;
  readonly about: string;
  readonly message: string;
  readonly hint: string;
}

/** Lines of the table, of the findings, and one that sums up. */
export function calibrationTable(
  rows: readonly CalibrationLine[],
  findings: readonly FindingLine[],
  paint: Paint,
): string[] {
  const head = ["", "patch", "expected", "actual", "times", ""].map((title) => paint.dim(title));
  const cells = rows.map((row) => {
    const tokens = [...new Set(row.verdicts)];
    const holds = tokens.length === 1 && tokens[0] === row.expected;
    return [
      holds ? paint.green("✓") : paint.red("✗"),
      row.patch,
      paintToken(paint, row.expected),
      tokens.map((token) => paintToken(paint, token)).join(" "),
      String(row.verdicts.length),
      paint.dim(row.why),
    ];
  });
  const found = findings.flatMap(({ kind, about, message, hint }) => [
    `${paint.red(kind)}  ${about}: ${message}`,
    `  ${paint.cyan("hint:")} ${hint}`,
  ]);
  const sum =
    findings.length === 0
      ? paint.green(`calibrated: ${rows.length} of ${rows.length} as expected, every time`)
      : paint.red(`${findings.length} finding${findings.length === 1 ? "" : "s"}`);
  return [...alignColumns([head, ...cells]), ...found, sum];
}
