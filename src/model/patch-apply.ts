/** Applies one file's hunks: all in order, or none. */
import type { Finding } from "./outcome.ts";
import {
  type BodyLine,
  decoded,
  type Eol,
  type FileDiff,
  type Hunk,
  type PatchNote,
  shown,
} from "./patch-diff.ts";
import {
  type Budget,
  type Document,
  documentOf,
  type LevelName,
  type Placement,
  place,
} from "./patch-place.ts";

/** A file after its part of the patch, or why that part has no place in it. */
export type FileResult =
  | { readonly status: "applied"; readonly text: string; readonly notes: readonly PatchNote[] }
  | { readonly status: "misfit"; readonly finding: Finding };

/** A file that a patch is about to change; `before` is latin1, `""` for one that it makes. */
export interface Target {
  readonly path: string;
  readonly before: string;
  readonly creates: boolean;
}

interface Line {
  readonly text: string;
  readonly eol: Eol;
}

/** Replaces `drop` lines from `at` on by `add`. */
interface Edit {
  readonly at: number;
  drop: number;
  readonly add: Line[];
}

type Placed = { readonly at: number; readonly level: LevelName };
type Misplaced = { readonly line?: number; readonly message: string; readonly kind: string };

/** In a file that isn't there yet an empty line without `+` can only have lost it. */
function bodyOf(hunk: Hunk, creates: boolean): readonly BodyLine[] {
  if (!creates) return hunk.body;
  return hunk.body.map((line) => (line.op === " " && line.text === "" ? { ...line, op: "+" } : line));
}

function insertionPoint(hunk: Hunk, doc: Document, from: number): Placed | Misplaced {
  if (doc.texts.length === 0) return { at: 0, level: "exact" };
  const kind = "hunk-misfit";
  if (hunk.stated === undefined)
    return { kind, message: "only adds lines, and neither context nor a line number says where" };
  const { start, oldCount } = hunk.stated;
  const at = oldCount === 0 ? start : start - 1;
  if (at >= from && at <= doc.texts.length) return { at, level: "exact" };
  return {
    kind,
    message: `adds lines at line ${start}, which is outside the file or before an earlier hunk`,
  };
}

function firstDifference(doc: Document, old: readonly BodyLine[], stated: number | undefined): string {
  const known = new Set(doc.texts);
  const absent = old.find((line) => !known.has(line.text));
  if (absent !== undefined) return `no line of the file reads: ${shown(decoded(absent.text))}`;
  return stated === undefined
    ? "its lines are nowhere together"
    : `its lines are nowhere together, least at line ${stated + 1}`;
}

function misplaced(
  found: Placement,
  doc: Document,
  old: readonly BodyLine[],
  stated: number | undefined,
): Misplaced {
  const line = stated === undefined ? {} : { line: stated + 1 };
  switch (found.status) {
    case "ambiguous":
      return {
        kind: "ambiguous-hunk",
        line: found.at + 1,
        message: `fits at line ${found.at + 1} and at line ${found.more + 1}`,
      };
    case "too-costly":
      return { kind: "hunk-misfit", ...line, message: "took too long to place" };
    case "placed":
      return {
        kind: "hunk-misfit",
        line: found.at + 1,
        message: `fits only at line ${found.at + 1}, before the end of an earlier hunk`,
      };
    case "nowhere":
      return { kind: "hunk-misfit", ...line, message: `does not fit: ${firstDifference(doc, old, stated)}` };
  }
}

function placeHunk(
  hunk: Hunk,
  body: readonly BodyLine[],
  doc: Document,
  from: number,
  budget: Budget,
): Placed | Misplaced {
  const old = body.filter((line) => line.op !== "+");
  if (old.length === 0) return insertionPoint(hunk, doc, from);
  const start = hunk.stated?.start ?? 0;
  const stated = start > 0 ? start - 1 : undefined;
  const found = place(doc, old, { stated, from }, budget);
  return found.status === "placed" && found.at >= from ? found : misplaced(found, doc, old, stated);
}

/** The end of an added line: the patch's own where every byte agreed, else that of the lines around it. */
function endsOf(
  hunk: Hunk,
  body: readonly BodyLine[],
  placed: Placed,
  doc: Document,
): (line: BodyLine, at: number) => Eol {
  const old = body.filter((line) => line.op !== "+");
  const around = (at: number): Eol => (doc.eols[at - 1] ?? doc.eols[at]) || doc.usualEnd;
  const endMisjudged =
    placed.level !== "exact" && doc.eols.at(-1) !== "" && old.some((line) => line.eol === "");
  return (line, at) => {
    if (line.eol === "") return endMisjudged ? around(at) : "";
    if (doc.texts.length === 0) return hunk.crlf ? "\n" : line.eol;
    // Among plain LF headers a CR is the file's, not the mail's.
    const literal = old.length > 0 ? placed.level === "exact" : line.eol === "\r\n" && !hunk.crlf;
    return literal ? line.eol : around(at);
  };
}

/** The changes of a placed hunk. Context makes none, so kept lines keep the source's bytes. */
function editsOf(hunk: Hunk, body: readonly BodyLine[], placed: Placed, doc: Document): readonly Edit[] {
  const edits: Edit[] = [];
  const endOf = endsOf(hunk, body, placed, doc);
  let at = placed.at;
  let open: Edit | undefined;
  for (const line of body) {
    if (line.op === " ") {
      at++;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { at, drop: 0, add: [] };
      edits.push(open);
    }
    if (line.op === "+") open.add.push({ text: line.text, eol: endOf(line, at) });
    else {
      open.drop++;
      at++;
    }
  }
  return edits;
}

function notesOn(
  path: string,
  hunk: Hunk,
  body: readonly BodyLine[],
  placed: Placed,
  doc: Document,
  edits: readonly Edit[],
): PatchNote[] {
  const notes: PatchNote[] = [];
  const line = placed.at + 1;
  const add = (kind: PatchNote["kind"], message: string) => notes.push({ kind, file: path, line, message });
  const old = body.filter((l) => l.op !== "+");
  const stated = hunk.stated?.start;
  if (old.length > 0 && stated !== undefined && stated !== line)
    add("offset", `the hunk states line ${stated}, and fits at line ${line}`);
  if (placed.level === "white-space")
    add("whitespace", "context agrees but for white space; the source's is kept");
  const added = body.filter((l) => l.op === "+");
  const ends = edits.flatMap((edit) => edit.add.map((l) => l.eol));
  const pairs = [
    ...old.map((l, i) => [l.eol, doc.eols[placed.at + i] ?? ""]),
    ...added.map((l, i) => [l.eol, ends[i] ?? ""]),
  ];
  const differing = pairs.filter(([patch, file]) => patch !== file);
  if (differing.some(([patch, file]) => patch !== "" && file !== ""))
    add("line-endings", "line ends were converted to the source's");
  if (differing.some(([patch, file]) => patch === "" || file === ""))
    add("final-newline", "patch and source differ about the newline at the end");
  return notes;
}

/** The file with all edits made. Only a last line may lack its newline. */
function rewritten(doc: Document, edits: readonly Edit[]): string {
  const out: Line[] = [];
  let at = 0;
  const keepTo = (end: number) => {
    for (; at < end; at++) out.push({ text: doc.texts[at] ?? "", eol: doc.eols[at] ?? "" });
  };
  for (const edit of edits) {
    keepTo(edit.at);
    for (const line of edit.add) out.push(line);
    at = edit.at + edit.drop;
  }
  keepTo(doc.texts.length);
  return out
    .map(({ text, eol }, i) => text + (eol === "" && i < out.length - 1 ? doc.usualEnd : eol))
    .join("");
}

/** Applies all hunks of one file in order, without overlap of changes, or says which one has no place. */
export function applyDiff(diff: FileDiff, target: Target, budget: Budget): FileResult {
  const doc = documentOf(target.before);
  budget.left -= doc.texts.length;
  if (budget.left < 0) {
    return {
      status: "misfit",
      finding: { kind: "hunk-misfit", file: target.path, message: "took too long to place" },
    };
  }
  const all: Edit[] = [];
  const notes: PatchNote[] = [];
  let from = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    const body = bodyOf(hunk, target.creates);
    const placed = placeHunk(hunk, body, doc, from, budget);
    if (!("at" in placed)) {
      const message = `hunk ${index + 1} (line ${hunk.line} of the patch) ${placed.message}`;
      return { status: "misfit", finding: { ...placed, file: target.path, message } };
    }
    const edits = editsOf(hunk, body, placed, doc);
    for (const edit of edits) all.push(edit);
    for (const note of hunk.notes) notes.push(note);
    for (const note of notesOn(target.path, hunk, body, placed, doc, edits)) notes.push(note);
    const last = edits.at(-1);
    from = last === undefined ? from : last.at + last.drop;
  }
  return { status: "applied", text: rewritten(doc, all), notes };
}
