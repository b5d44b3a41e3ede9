/** Expected against actual tokens, one line a patch. */
import type { Token } from "../model/verdict.ts";
import { type Paint, paintToken } from "./paint.ts";
import { alignColumns } from "./table.ts";

/** One patch with the token that it should get and the one that it got. */
export interface Expectation {
  readonly patch: string;
  /** Undefined where nothing says what to expect. */
  readonly expected: Token | undefined;
  /** Null where the patch was not graded. */
  readonly actual: Token | null;
  /** Why it came out so: a cause, a reason. */
  readonly why?: string | undefined;
}

/** Whether the patch got what was expected of it. */
export function isMet({ expected, actual }: Expectation): boolean {
  return expected !== undefined && expected === actual;
}

/** The table, with a mark at whatever differs, and a line that sums up. */
export function expectationTable(rows: readonly Expectation[], paint: Paint): string[] {
  const head = ["", "patch", "expected", "actual", ""].map((title) => paint.dim(title));
  const prefix = commonFolder(rows.map(({ patch }) => patch));
  const cells = rows.map((row) => [
    isMet(row) ? paint.green("✓") : paint.red("✗"),
    row.patch.slice(prefix.length),
    row.expected === undefined ? paint.magenta("none given") : paintToken(paint, row.expected),
    paintToken(paint, row.actual),
    paint.dim(row.why ?? ""),
  ]);
  const met = rows.filter(isMet).length;
  const all = `${met} of ${rows.length} as expected`;
  return [...alignColumns([head, ...cells]), met === rows.length ? paint.green(all) : paint.red(all)];
}

/** The folder that all names share, with its last slash. */
function commonFolder(names: readonly string[]): string {
  const [first = ""] = names;
  let folder = first.slice(0, first.lastIndexOf("/") + 1);
  while (folder !== "" && !names.every((name) => name.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder;
}
