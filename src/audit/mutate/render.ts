/** A mutant as a small unified diff, for a person. */
import { applyMutant, type Mutant } from "./mutant.ts";

/** Unchanged lines shown around a change. */
const context = 2;

/** Lines `from` to `to`, the end left out, and the lines that stand there instead; 0-based. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The mutant as `file:line`, and a diff with two lines of context. Ends with a line end. */
export function renderMutant(files: ReadonlyMap<string, string>, mutant: Mutant): string {
  const before = (files.get(mutant.file) ?? "").split("\n");
  const after = (applyMutant(files, mutant).get(mutant.file) ?? "").split("\n");
  const hunks = hunksOf(files.get(mutant.file) ?? "", mutant, after);
  return `${mutant.file}:${mutant.line} ${mutant.operator}\n${grouped(hunks)
    .map((group) => print(group, before))
    .join("")}`;
}

/** One hunk for each run of lines that edits touch. */
function hunksOf(text: string, mutant: Mutant, after: readonly string[]): Hunk[] {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length - 1;
  const ranges: { from: number; to: number; grown: number }[] = [];
  for (const edit of mutant.edits) {
    const [from, to] = [lineAt(edit.start), lineAt(edit.end) + 1];
    const grown = edit.text.split("\n").length - text.slice(edit.start, edit.end).split("\n").length;
    const last = ranges.at(-1);
    if (last !== undefined && from < last.to)
      ranges[ranges.length - 1] = { from: last.from, to: Math.max(to, last.to), grown: last.grown + grown };
    else ranges.push({ from, to, grown });
  }
  let shift = 0;
  return ranges.map(({ from, to, grown }) => {
    const lines = after.slice(from + shift, to + shift + grown);
    shift += grown;
    return { from, to, lines };
  });
}

/** Hunks whose contexts touch are printed as one. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.from - (last.at(-1)?.to ?? 0) <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function print(group: readonly Hunk[], before: readonly string[]): string {
  const start = Math.max(0, (group[0]?.from ?? 0) - context);
  const end = Math.min(before.length, (group.at(-1)?.to ?? 0) + context);
  const lines: string[] = [];
  let at = start;
  for (const hunk of group) {
    lines.push(...before.slice(at, hunk.from).map((line) => ` ${line}`));
    lines.push(
      ...before.slice(hunk.from, hunk.to).map((line) => `-${line}`),
      ...hunk.lines.map((line) => `+${line}`),
    );
    at = hunk.to;
  }
  lines.push(...before.slice(at, end).map((line) => ` ${line}`));
  const grown = group.reduce((sum, hunk) => sum + hunk.lines.length - (hunk.to - hunk.from), 0);
  return `@@ -${start + 1},${end - start} +${start + 1},${end - start + grown} @@\n${lines.join("\n")}\n`;
}
