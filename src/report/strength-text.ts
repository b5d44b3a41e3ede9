/** The strength of an oracle in plain words, for the person who writes it. */
import {
  type Horizon,
  percent,
  queryBudgetFor,
  type ReportedMutant,
  type StrengthReport,
  type StrengthScore,
} from "../model/strength.ts";
import type { Paint } from "./paint.ts";
import { alignColumns } from "./table.ts";

/** Survivors first, then how far the oracle looks, what must pass, and last the score and what is wrong. */
export function strengthLines(report: StrengthReport, paint: Paint): string[] {
  const survivors = report.mutants.filter(({ fate }) => fate.status === "survived");
  const parts = [
    survivors.flatMap((mutant) => [...survivorLines(mutant, paint), ""]),
    section("horizons", report.horizons.map(horizonRow), paint),
    section(
      "soundness",
      report.soundness.map(({ patch, role, verdict, why }) => [
        role,
        patch,
        verdict === "PASS" ? paint.green(verdict) : paint.red(`${verdict ?? "not graded"} ${why ?? ""}`),
      ]),
      paint,
    ),
    report.notes.map((note) => `note: ${note}`),
    scoreLines(report.score, paint),
    report.findings.map(({ kind, message }) => `${paint.red(kind)}: ${message}`),
  ];
  return parts.flat();
}

function section(title: string, rows: readonly (readonly string[])[], paint: Paint): string[] {
  if (rows.length === 0) return [];
  return [paint.bold(title), ...alignColumns(rows).map((line) => `  ${line}`), ""];
}

function survivorLines(mutant: ReportedMutant, paint: Paint): string[] {
  const { id, file, start, operator, meaning, diff, fate } = mutant;
  const seeds =
    fate.status === "survived" && fate.seeds !== undefined ? ` (killed under ${fate.seeds} seeds)` : "";
  return [
    `${paint.yellow("survives")} ${file}:${start.line} · ${operator} · ${id}${seeds}`,
    `  ${meaning}`,
    ...diff
      .split("\n")
      .filter((line) => /^[-+ ]/.test(line) && !/^(---|\+\+\+) /.test(line))
      .map((line) => `  ${paintDiff(line, paint)}`),
    paint.dim(`  waive: ${waiverFor(mutant)}`),
  ];
}

function paintDiff(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}

/** The entry of the manifest's `waivers` that would take a survivor out; category and reason are the author's. */
function waiverFor({ id, file, start }: ReportedMutant): string {
  const entry = { mutant: id, category: "…", reason: "…", file, line: start.line };
  return JSON.stringify(entry);
}

function horizonRow({ quantity, caught, tried }: Horizon): string[] {
  if (caught === null) return [quantity, "not caught at all"];
  return [
    quantity,
    caught >= tried ? `caught up to 2^${caught}, the largest tried` : `caught up to 2^${caught}`,
  ];
}

function scoreLines(score: StrengthScore, paint: Paint): string[] {
  const left = [
    [score.equivalent, "equivalent"],
    [score.duplicates, "duplicates"],
    [score.waived, "waived"],
    [score.notCompiled, "that don't compile"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  const without = left.length === 0 ? "" : `, without ${left.join(", ")}`;
  if (score.strength === null || score.common === null)
    return [`${paint.bold("strength")} unknown: of ${score.generated} mutants none counts${without}`];
  const shade = score.survived === 0 ? paint.green : paint.yellow;
  const budget = queryBudgetFor(score.strength);
  return [
    `${paint.bold("strength")} ${shade(`${percent(score.strength)} %`)} · the hidden layer kills ${score.killed} of ${score.universe} mutants that pass the visible one; ${score.survived} survive`,
    paint.dim(
      `of ${score.generated} mutants${without}; ${score.killedByVisible} are killed by the visible layer, which makes the customary score ${percent(score.common)} %`,
    ),
    paint.dim(
      Number.isFinite(budget)
        ? `a loop may learn ${budget} hidden verdicts before a wrong patch slips through by chance in 5 of 100`
        : "no mutant slips through, so that no budget of hidden verdicts follows from this",
    ),
  ];
}
