/** Many records → the table of how patches fail: visible × hidden × token, never one score. */
import type { GradeRecord, RecordedLayer } from "../model/record.ts";
import type { Token } from "../model/verdict.ts";
import { type Paint, paintToken } from "./paint.ts";
import { alignColumns } from "./table.ts";

/** What the table keeps of a record: small, so that any number of records can be counted. */
export interface Summary {
  readonly verdict: Token | null;
  /** `pass`, a fail cause, or undefined where the layer was not judged. */
  readonly visible?: string | undefined;
  readonly hidden?: string | undefined;
  /** Why there is no verdict, or why the patch was rejected. */
  readonly why?: string | undefined;
}

/** The small part of a record. */
export function summaryOf(record: GradeRecord): Summary {
  const { verdict, layers, reason, error } = record;
  const why = verdict === null ? ungradedWhy(error) : reason;
  return {
    verdict,
    visible: outcomeWord(layers.visible),
    hidden: outcomeWord(layers.reserve?.status === "fail" ? layers.reserve : layers.hidden),
    ...(why === undefined ? {} : { why }),
  };
}

/** What happened, without the place and the value: these differ from patch to patch. */
function ungradedWhy(error: GradeRecord["error"]): string {
  const message = error?.message.replace(/^\S+:\d+:\d+: /, "").split(/ · |\n/)[0] ?? "not judged";
  return `exit ${error?.exit ?? 75}: ${message.slice(0, 100)}`;
}

function outcomeWord(layer: RecordedLayer | undefined): string | undefined {
  if (layer === undefined) return undefined;
  return layer.status === "pass" ? "pass" : layer.cause;
}

interface Row {
  readonly verdict: Token | null;
  readonly visible: string;
  readonly hidden: string;
  count: number;
  readonly causes: Map<string, number>;
}

/** Counts of summaries, by how both layers came out. */
export class Tally {
  readonly #rows = new Map<string, Row>();
  total = 0;
  graded = 0;

  add(summary: Summary): void {
    const visible = statusOf(summary.visible);
    const hidden = statusOf(summary.hidden);
    const key = `${summary.verdict} ${visible} ${hidden}`;
    const row = this.#rows.get(key) ?? {
      verdict: summary.verdict,
      visible,
      hidden,
      count: 0,
      causes: new Map(),
    };
    this.#rows.set(key, row);
    row.count++;
    this.total++;
    if (summary.verdict !== null) this.graded++;
    for (const cause of causesOf(summary)) row.causes.set(cause, (row.causes.get(cause) ?? 0) + 1);
  }

  /** Rows in the order of the tokens, the most frequent first within one. */
  rows(): readonly Readonly<Row>[] {
    const place = (row: Row) => order.indexOf(row.verdict);
    return [...this.#rows.values()].sort((a, b) => place(a) - place(b) || b.count - a.count);
  }
}

const order: readonly (Token | null)[] = ["PASS", "OVERFIT", "FAIL_VISIBLE", "FAIL_BOTH", "REJECTED", null];

function statusOf(outcome: string | undefined): string {
  if (outcome === undefined) return "-";
  return outcome === "pass" ? "pass" : "fail";
}

function causesOf({ visible, hidden, why }: Summary): string[] {
  if (why !== undefined) return [why];
  const shown = visible === undefined || visible === "pass" ? [] : [`visible ${visible}`];
  const kept = hidden === undefined || hidden === "pass" ? [] : [`hidden ${hidden}`];
  return [...shown, ...kept];
}

/** The table, and how many of all were graded. */
export function failModeTable(tally: Tally, paint: Paint): string[] {
  const head = ["visible", "hidden", "token", "patches", "causes"].map((title) => paint.dim(title));
  const rows = tally.rows().map((row) => {
    const causes = [...row.causes].sort((a, b) => b[1] - a[1]).map(([cause, n]) => `${cause} ×${n}`);
    const listed = causes.length > 8 ? [...causes.slice(0, 8), `${causes.length - 8} more`] : causes;
    return [row.visible, row.hidden, paintToken(paint, row.verdict), String(row.count), listed.join(", ")];
  });
  const ungraded = tally.total - tally.graded;
  const rest = ungraded === 0 ? "" : ` · ${paint.magenta(`${ungraded} not graded`)}`;
  return [
    ...alignColumns([head, ...rows], ["left", "left", "left", "right"]),
    `${tally.graded} of ${tally.total} graded${rest}`,
  ];
}
