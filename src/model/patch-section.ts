/** One file's part of a patch: its headers in the dialects of git, GNU diff, svn and cvs, then its hunks. */
import { type Block, type Fault, type FileDiff, type Hunk, type ModeChange, shown } from "./patch-diff.ts";
import { edScript, foreignFormat } from "./patch-foreign.ts";
import { endsHunk, readHunk } from "./patch-hunk.ts";
import { readGitNames, readName } from "./patch-name.ts";

/** A fence of markdown. */
export interface Fence {
  readonly indent: string;
  readonly marks: string;
  readonly info: string;
}

const fence = /^([ \t]{0,24})(`{3,}|~{3,})[ \t]*([^`\r]*)\r?$/;

/** The fence that this line opens or closes, if it is one. Longer lines are none, which bounds the expression. */
export function fenceIn(line = ""): Fence | undefined {
  const found = line.length <= 200 && /^[ \t`~]/.test(line) ? fence.exec(line) : null;
  return found === null ? undefined : { indent: found[1] ?? "", marks: found[2] ?? "", info: found[3] ?? "" };
}

interface Draft {
  readonly line: number;
  readonly names: string[];
  readonly hunks: Hunk[];
  created: boolean;
  deleted: boolean;
  moved: boolean;
  /** A `---` or `+++` was there, so hunks must follow. */
  promised: boolean;
  mode: ModeChange | undefined;
  oldMode: string;
  fault: Fault | undefined;
}

/** Whether a file's part starts here. A lone `---` line of prose is none: `+++` or a hunk must follow. */
export function startsSection({ lines }: Block, at: number): boolean {
  const line = lines[at] ?? "";
  const next = lines[at + 1] ?? "";
  switch (line[0]) {
    case "d":
      return /^diff --(?:git|cc|combined) /.test(line);
    case "-":
      return line.startsWith("--- ") && (next.startsWith("+++ ") || next.startsWith("@@"));
    case "+":
      return line.startsWith("+++ ") && next.startsWith("@@");
    case "I":
      return line.startsWith("Index: ") && /^(?:={5,}|--- |RCS file|diff )/.test(next);
    case "B":
      return /^Binary files .{0,4096} differ\s*$/.test(line.slice(0, 8192));
    default:
      return false;
  }
}

function name(draft: Draft, names: readonly string[]): void {
  for (const path of names) if (path !== "/dev/null") draft.names.push(path);
}

function modeOf(mode: string): ModeChange | undefined {
  if (mode === "" || mode === "100644") return undefined;
  if (mode === "120000") return "symlink";
  return mode === "160000" ? "submodule" : "mode-change";
}

function readFileLine(draft: Draft, rest: string, side: "old" | "new"): void {
  const path = readName(rest);
  draft.promised = true;
  if (path === "/dev/null") draft[side === "old" ? "created" : "deleted"] = true;
  name(draft, [path]);
}

function readIndex(draft: Draft, rest: string): void {
  const mode = /^\S+ (\d{6})\s*$/.exec(rest)?.[1] ?? "";
  // An executable that stays one is no change.
  if (mode !== "100755") draft.mode ??= modeOf(mode);
}

function readBinary(draft: Draft, rest: string, at: number): void {
  draft.fault ??= { line: at, message: "the patch is binary; only text can be judged" };
  const pair = /^(\S+) and (\S+) differ/.exec(rest);
  if (draft.names.length === 0)
    name(draft, pair ? [readName(pair[1] ?? ""), readName(pair[2] ?? "")] : [readName(rest)]);
}

function readCombined(draft: Draft, rest: string, at: number): void {
  name(draft, [readName(rest)]);
  draft.fault ??= { line: at, message: "this is the combined diff of a merge; send a plain unified diff" };
}

type Reader = (draft: Draft, rest: string, at: number) => void;
const moved: Reader = (draft, rest) => {
  draft.moved = true;
  name(draft, [readName(rest)]);
};
const ignore: Reader = () => undefined;

/** Every header line that is understood, by how it starts. */
const headers: readonly (readonly [string, Reader])[] = [
  ["diff --git ", (draft, rest) => name(draft, readGitNames(rest))],
  ["diff --cc ", readCombined],
  ["diff --combined ", readCombined],
  ["diff -", ignore],
  ["Index: ", (draft, rest) => name(draft, [readName(rest)])],
  ["--- ", (draft, rest) => readFileLine(draft, rest, "old")],
  ["+++ ", (draft, rest) => readFileLine(draft, rest, "new")],
  [
    "old mode ",
    (draft, rest) => {
      draft.oldMode = rest.trim();
    },
  ],
  [
    "new mode ",
    (draft, rest) => {
      if (rest.trim() !== draft.oldMode) draft.mode ??= modeOf(rest.trim()) ?? "mode-change";
    },
  ],
  [
    "new file mode ",
    (draft, rest) => {
      draft.created = true;
      draft.mode ??= modeOf(rest.trim());
    },
  ],
  [
    "deleted file mode ",
    (draft) => {
      draft.deleted = true;
    },
  ],
  ["rename from ", moved],
  ["rename to ", moved],
  ["copy from ", moved],
  ["copy to ", moved],
  ["index ", readIndex],
  ["Binary files ", readBinary],
  ["GIT binary patch", readBinary],
  ["similarity index ", ignore],
  ["dissimilarity index ", ignore],
  ["=====", ignore],
  ["RCS file: ", ignore],
  ["retrieving revision ", ignore],
];

const opening = /^(?:diff --|Index: |--- |Binary files )/;

/** Reads header lines from `start`; stops at the first line that is none, or that opens another file. */
function readHeaders(draft: Draft, block: Block, start: number): number {
  let at = start;
  const seen = new Set<string>();
  for (; at < block.lines.length; at++) {
    const line = block.lines[at] ?? "";
    if (line.trim() === "" && headersGoOn(block, at)) continue;
    const [start_, read] = headers.find(([start_]) => line.startsWith(start_)) ?? [];
    if (start_ === undefined || read === undefined) break;
    const again = seen.has(start_) || (draft.promised && start_ !== "+++ ");
    if (again && (opening.test(line) || start_ === "+++ ")) break;
    seen.add(start_);
    read(draft, line.slice(start_.length), block.base + at + 1);
  }
  return at;
}

/** Whether only empty lines part this one from a hunk header. */
function headersGoOn(block: Block, at: number): boolean {
  const end = Math.min(at + 4, block.lines.length);
  for (let next = at + 1; next < end; next++) {
    const line = block.lines[next] ?? "";
    if (line.trim() !== "") return /^(?:@@|--- |\+\+\+ )/.test(line);
  }
  return false;
}

/** Passes over what stands between two hunks, or after the last one: prose, never changes (the hunk took those). */
function skipProse(block: Block, start: number): number {
  let at = start;
  while (at < block.lines.length && !endsHunk(block, at)) {
    const line = block.lines[at] ?? "";
    if (startsSection(block, at) || foreignFormat(line) !== undefined) break;
    if (!block.fenced && fenceIn(line) !== undefined) break;
    at++;
  }
  return at;
}

function readHunks(draft: Draft, block: Block, start: number): number {
  let at = start;
  // Some models leave the hunk header out altogether.
  let headless = draft.promised && /^[-+ ]/.test(block.lines[at] ?? "") && !startsSection(block, at);
  while (headless || block.lines[at]?.startsWith("@@")) {
    if (block.lines[at]?.startsWith("@@@")) readCombined(draft, "/dev/null", block.base + at + 1);
    const { hunk, next } = readHunk(block, at, headless);
    draft.hunks.push(hunk);
    if (hunk.body.length === 0) draft.fault ??= { line: hunk.line, message: "the hunk has no lines" };
    headless = false;
    at = skipProse(block, next);
  }
  return at;
}

function missingHunks(draft: Draft, line: string): Fault | undefined {
  if (draft.hunks.length > 0 || !draft.promised) return undefined;
  const foreign = edScript(line) ?? foreignFormat(line);
  return {
    line: draft.line,
    message: foreign ?? `${shown(draft.names[0] ?? "a file")} is named, but no hunk (@@) follows`,
  };
}

/** Reads the part that starts at `start`; `next` is the first line after it. */
export function readSection(block: Block, start: number): { readonly diff: FileDiff; readonly next: number } {
  const draft: Draft = {
    line: block.base + start + 1,
    names: [],
    hunks: [],
    created: false,
    deleted: false,
    moved: false,
    promised: false,
    mode: undefined,
    oldMode: "",
    fault: undefined,
  };
  const body = readHeaders(draft, block, start);
  const end = readHunks(draft, block, body);
  const fault = draft.fault ?? missingHunks(draft, block.lines[body] ?? "");
  const { line, names, hunks, created, deleted, moved, mode } = draft;
  const diff = {
    line,
    names,
    hunks,
    created,
    deleted,
    moved,
    ...(mode && { mode }),
    ...(fault && { fault }),
  };
  return { diff, next: Math.max(end, start + 1) };
}
