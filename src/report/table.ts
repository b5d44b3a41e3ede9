/** Columns of text, aligned. */
import { stripVTControlCharacters } from "node:util";

/** How a column is set; left by default. */
export type Align = "left" | "right";

/** Lines of a table: each column as wide as its widest cell, two blanks between. Colours don't count as width. */
export function alignColumns(rows: readonly (readonly string[])[], align: readonly Align[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0, align[i] ?? "left"))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: Align): string {
  const blanks = " ".repeat(width - widthOf(cell));
  return align === "left" ? cell + blanks : blanks + cell;
}

function widthOf(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
