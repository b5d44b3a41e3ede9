/** Finds the diffs in what a model wrote: plain, in fences, in a mail, with prose around them. */
import { type Block, type BodyLine, type Fault, type FileDiff, type PatchNote, shown } from "./patch-diff.ts";
import { edScript, foreignFormat } from "./patch-foreign.ts";
import { type Fence, fenceIn, readSection, startsSection } from "./patch-section.ts";

/** All that a text says about files, in its own order. */
export interface PatchText {
  readonly diffs: readonly FileDiff[];
  /** Faults that belong to no file. */
  readonly faults: readonly Fault[];
  readonly notes: readonly PatchNote[];
}

interface Reading {
  readonly diffs: FileDiff[];
  readonly faults: Fault[];
  readonly notes: PatchNote[];
  /** Blocks marked as diffs that name no file: harmless only where the diffs repeat their changes. */
  readonly fragments: Block[];
}

const diffInfo = /^(?:u?diff|patch|git-diff)\b/i;
const numberedHunk = /^@@ -\d+(?:,\d+)? \+\d+/;

/** Whether a hunk starts here although no header named a file. */
function isOrphan({ lines }: Block, at: number): boolean {
  const line = lines[at] ?? "";
  if (!line.startsWith("@@")) return false;
  return numberedHunk.test(line) || (/^@@(?:\s|$)/.test(line) && /^[-+ ]/.test(lines[at + 1] ?? ""));
}

/** Reads what starts at `at`, if anything does, and says where to go on. */
function readAt(block: Block, at: number, into: Reading): number {
  if (startsSection(block, at)) {
    const { diff, next } = readSection(block, at);
    into.diffs.push(diff);
    return next;
  }
  const line = block.base + at + 1;
  const message = isOrphan(block, at)
    ? "a hunk comes before any header that names its file"
    : foreignFormat(block.lines[at] ?? "");
  if (message !== undefined) into.faults.push({ line, message });
  return at + 1;
}

/** The lines between a fence and its end, without the fence's own indent. */
function fencedBlock(
  lines: readonly string[],
  open: number,
  { indent, marks }: Fence,
): Block & { readonly end: number } {
  let end = open + 1;
  for (; end < lines.length; end++) {
    const close = fenceIn(lines[end]);
    if (close?.indent === indent && close.info === "" && close.marks.startsWith(marks)) break;
  }
  const inner = lines.slice(open + 1, end);
  const indented = indent !== "" && inner.every((line) => line.startsWith(indent) || line.trim() === "");
  const body = indented ? inner.map((line) => line.slice(indent.length)) : inner;
  return { lines: body, base: open + 1, fenced: true, end };
}

function hasDiff(block: Block): boolean {
  return block.lines.some(
    (line, at) => startsSection(block, at) || numberedHunk.test(line) || foreignFormat(line) !== undefined,
  );
}

function readFence(block: Block, info: string, into: Reading): void {
  if (!hasDiff(block)) {
    if (diffInfo.test(info)) into.fragments.push(block);
    return;
  }
  into.notes.push({ kind: "fence", line: block.base, message: "the diff was taken out of a fenced block" });
  for (let at = 0; at < block.lines.length; ) at = readAt(block, at, into);
}

const changes = (lines: readonly string[]): string[] =>
  lines.filter((line) => /^[-+]/.test(line)).map((line) => line.replace(/[ \t\r]+/g, " ").trimEnd());

/** A fragment is either a quotation of the whole diff, or a part that nothing can place. */
function judgeFragments(into: Reading): void {
  if (into.fragments.length === 0) return;
  const told = new Set<string>();
  for (const { hunks } of into.diffs) {
    for (const { body } of hunks) for (const line of changes(body.map((l) => l.op + l.text))) told.add(line);
  }
  for (const { base, lines } of into.fragments) {
    if (changes(lines).every((line) => told.has(line))) {
      into.notes.push({
        kind: "fragment",
        line: base,
        message: "a block that only quotes the diff was passed over",
      });
    } else {
      into.faults.push({
        line: base,
        message: "this block is marked as a diff, but names no file and has no hunk header",
      });
    }
  }
}

/** Models show the same diff twice, in thought and in the end. What came between two equal ones may be their undoing. */
function dropRepeats(into: Reading): void {
  const last = new Map<string, FileDiff>();
  const kept = into.diffs.filter((diff) => {
    const file = [...new Set(diff.names)].sort().join("\n");
    const before = last.get(file);
    last.set(file, diff);
    if (before === undefined || !isSame(before, diff)) return true;
    into.notes.push({
      kind: "fragment",
      line: diff.line,
      message: `the same diff of this file is in line ${before.line} already`,
    });
    return false;
  });
  into.diffs.splice(0, into.diffs.length, ...kept);
}

function isSame(a: FileDiff, b: FileDiff): boolean {
  if (a.created !== b.created || a.deleted !== b.deleted || a.moved !== b.moved || a.mode !== b.mode)
    return false;
  return (
    a.hunks.length === b.hunks.length &&
    a.hunks.every(({ stated, body }, at) => {
      const other = b.hunks[at];
      return other?.stated?.start === stated?.start && isSameBody(body, other?.body ?? []);
    })
  );
}

function isSameBody(a: readonly BodyLine[], b: readonly BodyLine[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ op, text, eol }, at) => b[at]?.op === op && b[at]?.text === text && b[at]?.eol === eol)
  );
}

/** Reads a whole text (latin1, without byte order mark). Never throws; what can't be read becomes a fault. */
export function readPatchText(text: string): PatchText {
  const block: Block = { lines: text.split("\n"), base: 0, fenced: false };
  const into: Reading = { diffs: [], faults: [], notes: [], fragments: [] };
  for (let at = 0; at < block.lines.length; ) {
    const open = fenceIn(block.lines[at]);
    if (open === undefined) {
      at = readAt(block, at, into);
    } else {
      const inner = fencedBlock(block.lines, at, open);
      readFence(inner, open.info, into);
      at = inner.end + 1;
    }
  }
  dropRepeats(into);
  judgeFragments(into);
  if (into.diffs.length === 0 && into.faults.length === 0) into.faults.push(nothingFound(block));
  return into;
}

function nothingFound({ lines }: Block): Fault {
  const ed = lines.findIndex((line) => edScript(line) !== undefined);
  const message = edScript(lines[ed] ?? "");
  if (message !== undefined) return { line: ed + 1, message };
  const first = lines.findIndex((line) => line.trim() !== "");
  return {
    line: first + 1,
    message: `there is no unified diff in this text; it starts with: ${shown(lines[first]?.trim() ?? "")}`,
  };
}
