/** Where a hunk fits a file: lines as numbers, three levels of strictness, and a bound on the work. */
import type { BodyLine, Eol } from "./patch-diff.ts";

/** How closely lines must agree: byte for byte, but for line ends, or but for the amount of white space. */
export const levels = ["exact", "line-ends", "white-space"] as const;
export type LevelName = (typeof levels)[number];

interface Level {
  readonly numbers: Int32Array;
  readonly numberOf: ReadonlyMap<string, number>;
}

/** A file as lines, with an index per level that is built when first asked for. */
export interface Document {
  readonly texts: readonly string[];
  readonly eols: readonly Eol[];
  /** What most lines end with. */
  readonly usualEnd: "\n" | "\r\n";
  readonly index: Map<LevelName, Level>;
}

/** Line visits left to one patch: refuses what is made to be slow. A search of 20,000 lines takes as many. */
export interface Budget {
  left: number;
}

/** Visits that a patch may cost; about a second at the worst. */
export const budgetOf = (): Budget => ({ left: 30_000_000 });

/** A place, by the line before it: 0 is the top. `more` is another that fits as well. */
export type Placement =
  | { readonly status: "placed"; readonly at: number; readonly level: LevelName }
  | { readonly status: "ambiguous"; readonly at: number; readonly more: number; readonly level: LevelName }
  | { readonly status: "nowhere" }
  | { readonly status: "too-costly" };

/** Cuts a text into lines. Every byte is kept, in `texts` or in `eols`. */
export function documentOf(text: string): Document {
  const pieces = text.split("\n");
  const open = pieces.pop() ?? "";
  const eols: Eol[] = pieces.map((piece) => (piece.endsWith("\r") ? "\r\n" : "\n"));
  const texts = pieces.map((piece) => (piece.endsWith("\r") ? piece.slice(0, -1) : piece));
  if (open !== "") {
    texts.push(open);
    eols.push("");
  }
  const crlf = eols.filter((eol) => eol === "\r\n").length;
  return { texts, eols, usualEnd: 2 * crlf > eols.length ? "\r\n" : "\n", index: new Map() };
}

// Not \s: it holds U+00A0, which here is a byte of many UTF-8 letters.
const blanks = /[ \t\r\v\f]+/g;

const byteOrderMark = "\xef\xbb\xbf";

function keyOf(text: string, eol: Eol, level: LevelName): string {
  if (level === "exact") return text + (eol === "" ? "\0" : eol);
  if (level === "line-ends") return text;
  const packed = (text.startsWith(byteOrderMark) ? text.slice(3) : text).replace(blanks, " ");
  return packed.slice(
    packed.startsWith(" ") ? 1 : 0,
    packed.length > 1 && packed.endsWith(" ") ? -1 : undefined,
  );
}

function levelOf(doc: Document, name: LevelName, budget: Budget): Level {
  const known = doc.index.get(name);
  if (known !== undefined) return known;
  budget.left -= 4 * doc.texts.length;
  const numbers = new Int32Array(doc.texts.length);
  const numberOf = new Map<string, number>();
  for (let i = 0; i < numbers.length; i++) {
    const key = keyOf(doc.texts[i] ?? "", doc.eols[i] ?? "", name);
    const number = numberOf.get(key) ?? numberOf.size;
    numberOf.set(key, number);
    numbers[i] = number;
  }
  const level = { numbers, numberOf };
  doc.index.set(name, level);
  return level;
}

function fitsAt(numbers: Int32Array, pattern: Int32Array, at: number): boolean {
  if (at < 0 || at + pattern.length > numbers.length) return false;
  for (let i = 0; i < pattern.length; i++) if (numbers[at + i] !== pattern[i]) return false;
  return true;
}

/** For each prefix of the pattern, the length of its longest proper border (Knuth, Morris and Pratt). */
function bordersOf(pattern: Int32Array): Int32Array {
  const borders = new Int32Array(pattern.length);
  for (let i = 1, length = 0; i < pattern.length; ) {
    if (pattern[i] === pattern[length]) borders[i++] = ++length;
    else if (length > 0) length = borders[length - 1] ?? 0;
    else i++;
  }
  return borders;
}

/** The first two places where the pattern stands; linear whatever the lines are. */
function search(numbers: Int32Array, pattern: Int32Array): readonly number[] {
  const borders = bordersOf(pattern);
  const found: number[] = [];
  for (let i = 0, length = 0; i < numbers.length && found.length < 2; ) {
    if (numbers[i] === pattern[length]) {
      i++;
      if (++length < pattern.length) continue;
      found.push(i - length);
      length = borders[length - 1] ?? 0;
    } else if (length > 0) length = borders[length - 1] ?? 0;
    else i++;
  }
  return found;
}

/** Finds the lines at one level. `stated` is where the header says they are; there, no other place counts. */
function placeAt(
  doc: Document,
  lines: readonly BodyLine[],
  name: LevelName,
  wanted: { readonly stated: number | undefined; readonly from: number },
  budget: Budget,
): Placement {
  const { numbers, numberOf } = levelOf(doc, name, budget);
  const pattern = Int32Array.from(lines, (line) => numberOf.get(keyOf(line.text, line.eol, name)) ?? -1);
  if (pattern.includes(-1)) return { status: "nowhere" };
  const { stated = -1, from } = wanted;
  const exactly = stated >= from && fitsAt(numbers, pattern, stated);
  // White space is only forgiven where no second place could be meant.
  if (exactly && name !== "white-space") return { status: "placed", at: stated, level: name };
  budget.left -= numbers.length + pattern.length;
  if (budget.left < 0) return { status: "too-costly" };
  const [at, more] = search(numbers, pattern);
  if (at === undefined) return { status: "nowhere" };
  if (more !== undefined) return { status: "ambiguous", at, more, level: name };
  return { status: "placed", at, level: name };
}

/**
 * Where a hunk's old lines stand: at the strictest level that has a place at all.
 * A place elsewhere than stated is doubted where the stated one fits too, but for white space.
 */
export function place(
  doc: Document,
  lines: readonly BodyLine[],
  wanted: { readonly stated: number | undefined; readonly from: number },
  budget: Budget,
): Placement {
  for (const name of levels) {
    const placement = placeAt(doc, lines, name, wanted, budget);
    if (placement.status === "nowhere") continue;
    const { stated } = wanted;
    if (placement.status !== "placed" || stated === undefined || placement.at === stated) return placement;
    const { numbers, numberOf } = levelOf(doc, "white-space", budget);
    const loose = Int32Array.from(
      lines,
      (line) => numberOf.get(keyOf(line.text, line.eol, "white-space")) ?? -1,
    );
    if (!fitsAt(numbers, loose, stated)) return placement;
    return {
      status: "ambiguous",
      at: Math.min(stated, placement.at),
      more: Math.max(stated, placement.at),
      level: "white-space",
    };
  }
  return { status: "nowhere" };
}
