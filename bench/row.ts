/** One line of the result: two figures, what they come to, and what they should come to. */

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly reference: number;
  readonly ours: number;
  /** `share`: ours as a part of the reference. `times`: how many times faster ours is. */
  readonly sense: "share" | "times";
  readonly target?: number;
  readonly stretch?: number;
}

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The rows as a Markdown table, fit for a terminal too. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.unit,
    figure(row.reference),
    figure(row.ours),
    ratioText(row, ratioOf(row)),
    row.target === undefined
      ? "-"
      : `${ratioText(row, row.target, true)} (${ratioText(row, row.stretch ?? row.target)})`,
    verdictOf(row),
  ]);
  return columns([["case", "unit", "reference", "ours", "ratio", "target (stretch)", ""], ...cells]);
}

/** Whether every row that has a target meets it. */
export function allMet(rows: readonly Row[]): boolean {
  return rows.every((row) => row.target === undefined || meets(row, row.target));
}

function ratioOf({ sense, ours, reference }: Row): number {
  return sense === "share" ? ours / reference : reference / ours;
}

function meets(row: Row, goal: number): boolean {
  return row.sense === "share" ? ratioOf(row) <= goal : ratioOf(row) >= goal;
}

function verdictOf(row: Row): string {
  if (row.target === undefined) return "-";
  if (!meets(row, row.target)) return "NOT MET";
  return row.stretch !== undefined && meets(row, row.stretch) ? "met, stretch too" : "met";
}

function ratioText({ sense }: Row, ratio: number, isBound = false): string {
  const bound = isBound ? (sense === "share" ? "≤ " : "≥ ") : "";
  return sense === "share" ? `${bound}${ratio.toFixed(2)} ×` : `${bound}${ratio.toFixed(1)} × faster`;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  const text = lines.map((line) => `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`);
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [text[0], rule, ...text.slice(1)].join("\n");
}
