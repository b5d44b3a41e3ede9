/** One hunk of a patch: its header in every spelling models use, and its body, recounted. */
import type { Block, BodyLine, Hunk, PatchNote, StatedRange } from "./patch-diff.ts";

const statedHeader = /^@@\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?/;
const marker = /^\\ |^\\?\s{0,4}No newline at end of file\r?$/;
const version = /^\d+(?:\.\w+)+/;
// Bullets and rules of the prose after an unfenced diff; code so indented after a really empty line is rarer.
const bullet = /^(?:[-+] [A-Z`*"'(]|---\r?$)/;
const isBlank = (line: string | undefined): boolean => line === "" || line === "\r";
const isChange = (line: string): boolean => line.startsWith("+") || line.startsWith("-");

function hasHeaderPair(lines: readonly string[], at: number): boolean {
  return (lines[at]?.startsWith("--- ") ?? false) && (lines[at + 1]?.startsWith("+++ ") ?? false);
}

/** Whether a `---` or `+++` line names a path, rather than being a changed line of code (`-- i;`). */
function looksLikePath(line = ""): boolean {
  const field = line.slice(4, 4096).trimEnd();
  if (field.startsWith('"')) return true;
  const end = field.search(/\s/);
  const path = end < 0 ? field : field.slice(0, end);
  return /[./]/.test(path) && (end < 0 || /^(?:\t| +\d{4}-)/.test(field.slice(end)));
}

/** `--- a/x`, `+++ b/x`, `@@`: a new file, whatever the counts of the hunk before it say. */
function isFileHeader(lines: readonly string[], at: number): boolean {
  return hasHeaderPair(lines, at) && (lines[at + 2]?.startsWith("@@") ?? false) && looksLikePath(lines[at]);
}

/** The `-- ` and version that end a mail of git format-patch. */
function isSignature(lines: readonly string[], at: number): boolean {
  const line = lines[at];
  if (line === undefined || !/^-- ?\r?$/.test(line)) return false;
  return version.test(lines[at + 1] ?? "");
}

/** Whether no hunk can go on past this line. */
export function endsHunk(block: Block, at: number): boolean {
  const line = block.lines[at] ?? "";
  switch (line[0]) {
    case "@":
      return line.startsWith("@@");
    case "d":
      return line.startsWith("diff -");
    case "I":
      return line.startsWith("Index: ");
    case "B":
      return line.startsWith("Binary files ");
    case "F":
      return /^From [0-9a-f]{7,40} /.test(line);
    case "`":
    case "~":
      return line.startsWith("```") || line.startsWith("~~~");
    case "-":
      return (
        isSignature(block.lines, at) ||
        (hasHeaderPair(block.lines, at) &&
          ((looksLikePath(line) && looksLikePath(block.lines[at + 1])) || isFileHeader(block.lines, at)))
      );
    default:
      return false;
  }
}

/** How far the lines that may belong to a hunk reach, and the last of them that changes anything. */
function regionFrom(block: Block, start: number): { readonly end: number; readonly lastChange: number } {
  let [end, lastChange] = [start, -1];
  for (; end < block.lines.length && !endsHunk(block, end); end++) {
    const line = block.lines[end] ?? "";
    if (isChange(line) && (block.fenced || !bullet.test(line))) lastChange = end;
  }
  return { end, lastChange };
}

/** Whether a body that ends before `at` as its counts say leaves nothing behind that looks like more of it. */
function endsCleanly(block: Block, at: number): boolean {
  let next = at;
  while (next < block.lines.length && (block.lines[next] ?? "").trim() === "") next++;
  const line = block.lines[next];
  if (line === undefined || endsHunk(block, next)) return true;
  if (next > at && !block.fenced && bullet.test(line)) return true;
  if (/^[-+ \t]/.test(line)) return false;
  return !block.fenced || regionFrom(block, next).lastChange < 0;
}

/** The end of the body by the header's counts, or `undefined` where they can't be right. */
function endByCounts(block: Block, start: number, { oldCount, newCount }: StatedRange): number | undefined {
  let [olds, news, at] = [0, 0, start];
  const isMarker = () => marker.test((block.lines[at] ?? "").slice(0, 64));
  for (; olds < oldCount || news < newCount; at++) {
    const line = block.lines[at];
    if (line === undefined || isFileHeader(block.lines, at)) return undefined;
    if (isMarker()) continue;
    const op = isBlank(line) ? " " : line[0];
    if (op !== " " && op !== "-" && op !== "+") return undefined;
    if (op !== "+") olds++;
    if (op !== "-") news++;
    if (olds > oldCount || news > newCount) return undefined;
  }
  while (isMarker()) at++;
  return at > start && endsCleanly(block, at) ? at : undefined;
}

/** The end of the body by its looks: a line without a prefix belongs to it if changes follow. */
function endByLooks(block: Block, start: number): number {
  const { end, lastChange } = regionFrom(block, start);
  for (let at = start; at < end; at++) {
    const line = block.lines[at] ?? "";
    if (at <= lastChange || isBlank(line)) continue;
    const prose = !block.fenced && isBlank(block.lines[at - 1]) && bullet.test(line);
    if (prose || !/^[-+ \t\\]/.test(line)) return at;
  }
  return end;
}

interface Collected {
  readonly body: BodyLine[];
  readonly lostPrefixes: number;
  readonly trimmed: number;
}

function collect(block: Block, start: number, end: number, counted: boolean): Collected {
  const body: BodyLine[] = [];
  const lost: number[] = [];
  let keep = 0;
  for (let at = start; at < end; at++) {
    const line = block.lines[at] ?? "";
    const last = body.at(-1);
    if (marker.test(line.slice(0, 64))) {
      if (last !== undefined) body[body.length - 1] = { ...last, eol: "" };
      continue;
    }
    const first = line[0];
    const prefixed = first === " " || first === "-" || first === "+";
    if (!prefixed) lost.push(body.length);
    const full = prefixed ? line.slice(1) : line;
    const crlf = full.endsWith("\r");
    body.push({
      op: prefixed ? first : " ",
      text: crlf ? full.slice(0, -1) : full,
      eol: crlf ? "\r\n" : "\n",
    });
    // Empty lines after the last real one are as likely to separate as to be context: less context is never wrong.
    if (counted ? !isBlank(line) : line.trim() !== "") keep = body.length;
  }
  const trimmed = body.length - keep;
  body.length = keep;
  return { body, lostPrefixes: lost.filter((at) => at < keep).length, trimmed };
}

function statedIn(header: string): StatedRange | undefined {
  const found = statedHeader.exec(header);
  if (found === null) return undefined;
  const [, start, oldCount = "1", , newCount = "1"] = found;
  return { start: Number(start), oldCount: Number(oldCount), newCount: Number(newCount) };
}

function notesOn(line: number, stated: StatedRange | undefined, got: Collected): PatchNote[] {
  const notes: PatchNote[] = [];
  const olds = got.body.filter((l) => l.op !== "+").length;
  const news = got.body.filter((l) => l.op !== "-").length;
  const spare = (stated?.oldCount ?? 0) - olds;
  if (stated === undefined) {
    notes.push({
      kind: "bare-header",
      line,
      message: "the hunk states no line; it is placed by its context",
    });
  } else if (spare < 0 || spare > got.trimmed || stated.newCount - news !== spare) {
    const says = `the header counts -${stated.oldCount} +${stated.newCount}`;
    notes.push({ kind: "recount", line, message: `${says}, the body has -${olds} +${news}` });
  }
  if (got.lostPrefixes > 0) {
    notes.push({
      kind: "lost-prefix",
      line,
      message: `${got.lostPrefixes} context lines had lost their leading space`,
    });
  }
  return notes;
}

/**
 * Reads the hunk whose header is at `at` (or whose body starts there, with `headless`).
 * Counts are believed where the body ends just so; otherwise the body is recounted.
 */
export function readHunk(
  block: Block,
  at: number,
  headless = false,
): { readonly hunk: Hunk; readonly next: number } {
  const header = headless ? (block.lines[at - 1] ?? "") : (block.lines[at] ?? "");
  const stated = headless ? undefined : statedIn(header);
  const start = headless ? at : at + 1;
  const counted = stated && endByCounts(block, start, stated);
  const end = counted ?? endByLooks(block, start);
  const got = collect(block, start, end, counted !== undefined);
  const line = block.base + at + 1;
  const notes = notesOn(line, stated, got);
  const hunk = { line, body: got.body, crlf: header.endsWith("\r"), notes, ...(stated && { stated }) };
  return { hunk, next: end };
}
