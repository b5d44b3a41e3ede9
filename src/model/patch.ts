/** A patch: from the bytes a model wrote to the sources after it, or to the reason why it can't be judged. */
import { createHash } from "node:crypto";
import type { Finding } from "./outcome.ts";
import { applyDiff, type Target } from "./patch-apply.ts";
import type { Fault, FileDiff, PatchNote } from "./patch-diff.ts";
import { type Budget, budgetOf } from "./patch-place.ts";
import { type PatchText, readPatchText } from "./patch-text.ts";
import { type DroppedFile, type PatchScope, type Ruling, ruleOn } from "./scope.ts";

export type { PatchNote } from "./patch-diff.ts";
export type { DroppedFile, PatchScope } from "./scope.ts";

/**
 * The present content of a task's sources, by posix path relative to the task folder.
 *
 * Content is **latin1**: one character a byte, as `readFile(path, "latin1")` gives it and
 * `writeFile(path, text, "latin1")` takes it, so that any bytes survive. Paths are ordinary strings.
 */
export type Tree = ReadonlyMap<string, string>;

/** Why the text of a patch can't be judged; `tampering` is found later. */
export type PatchRejectReason = "malformed" | "does-not-apply" | "out-of-scope" | "no-change";

/** The sources with a patch applied. */
export interface AppliedPatch {
  readonly status: "applied";
  /** SHA-256 of the patch's bytes, in hex. */
  readonly digest: string;
  /** Paths whose content changed, sorted. */
  readonly files: readonly string[];
  /** All sources after the patch, new ones included. */
  readonly tree: Tree;
  readonly notes: readonly PatchNote[];
  readonly dropped: readonly DroppedFile[];
}

/** A patch that can't be judged, through its own fault. */
export interface RejectedPatch {
  readonly status: "rejected";
  readonly digest: string;
  readonly reason: PatchRejectReason;
  /** One line: what is wrong, where. */
  readonly message: string;
  /** `line` counts in `file` where a file is named, else in the text of the patch. */
  readonly findings: readonly Finding[];
  /** Paths that the patch names, sorted, as far as they could be read. */
  readonly files: readonly string[];
}

export type PatchResult = AppliedPatch | RejectedPatch;

const largest = 8 * 1024 * 1024;
// Far beyond any honest patch; bounds what is done once a file.
const mostFiles = 1000;
const mostFindings = 50;
const mostNotes = 200;

type Rejection = Omit<RejectedPatch, "status" | "digest" | "findings" | "files"> & {
  readonly findings?: readonly Finding[];
  readonly files?: readonly string[];
};

const sortedOnce = (paths: readonly string[]): readonly string[] => [...new Set(paths)].sort();

function malformed(fault: Fault): Rejection {
  const message = `line ${fault.line}: ${fault.message}`;
  return {
    reason: "malformed",
    message,
    findings: [{ kind: "malformed", line: fault.line, message: fault.message }],
  };
}

function fromFindings(reason: PatchRejectReason, findings: readonly Finding[]): Rejection {
  const [first, ...more] = findings;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  const message = `${first?.file ?? ""}: ${first?.message ?? ""}${rest}`;
  return { reason, message, findings: findings.slice(0, mostFindings) };
}

function pathOf(ruling: Ruling): string {
  switch (ruling.status) {
    case "allowed":
      return ruling.path;
    case "dropped":
      return ruling.dropped.file;
    case "refused":
      return ruling.finding.file ?? "";
  }
}

interface Admitted {
  readonly diff: FileDiff;
  readonly path: string;
  readonly creates: boolean;
}

/** A file where another would have to be a folder, or the other way round. */
function collision(path: string, tree: Tree): string | undefined {
  for (const known of tree.keys()) {
    if (path.startsWith(`${known}/`) || known.startsWith(`${path}/`)) return known;
  }
  return undefined;
}

function obstacle({ path, creates, diff }: Admitted, tree: Tree): Finding | undefined {
  const kind = "hunk-misfit";
  const where = `(line ${diff.line} of the patch)`;
  if (!creates)
    return tree.has(path)
      ? undefined
      : { kind, file: path, message: `there is no such file to change ${where}` };
  if (tree.has(path)) return { kind, file: path, message: `would be created, but is there already ${where}` };
  const other = collision(path, tree);
  return other === undefined
    ? undefined
    : { kind, file: path, message: `would be created, but ${other} is in its way ${where}` };
}

type Applied = {
  readonly tree: Map<string, string>;
  readonly notes: readonly PatchNote[];
  readonly misfits: readonly Finding[];
};

function applyAll(admitted: readonly Admitted[], before: Tree, budget: Budget): Applied {
  const tree = new Map(before);
  const notes: PatchNote[] = [];
  const misfits: Finding[] = [];
  for (const item of admitted) {
    const { path, creates, diff } = item;
    const blocked = obstacle(item, tree);
    const target: Target = { path, creates, before: tree.get(path) ?? "" };
    const result =
      blocked === undefined
        ? applyDiff(diff, target, budget)
        : { status: "misfit" as const, finding: blocked };
    if (result.status === "misfit") {
      misfits.push(result.finding);
      continue;
    }
    tree.set(path, result.text);
    for (const note of result.notes) notes.push(note);
  }
  return { tree, notes, misfits };
}

function judgeText(
  text: PatchText,
  before: Tree,
  scope: PatchScope,
): Rejection | Omit<AppliedPatch, "status" | "digest"> {
  const rulings = ruleOn(text.diffs, before, scope);
  const files = sortedOnce(rulings.map(pathOf));
  const refused = rulings.flatMap((ruling) => (ruling.status === "refused" ? [ruling.finding] : []));
  if (refused.length > 0) return { ...fromFindings("out-of-scope", refused), files };
  const dropped = rulings.flatMap((ruling) => (ruling.status === "dropped" ? [ruling.dropped] : []));
  const admitted = rulings.flatMap((ruling, at) => {
    const diff = text.diffs[at];
    return ruling.status === "allowed" && diff !== undefined
      ? [{ diff, path: ruling.path, creates: ruling.creates }]
      : [];
  });
  const fault = text.faults[0] ?? admitted.find(({ diff }) => diff.fault !== undefined)?.diff.fault;
  if (fault !== undefined) return { ...malformed(fault), files };
  const { tree, notes, misfits } = applyAll(admitted, before, budgetOf());
  if (misfits.length > 0) return { ...fromFindings("does-not-apply", misfits), files };
  const changed = [...tree.keys()].filter((path) => tree.get(path) !== before.get(path)).sort();
  if (changed.length > 0)
    return { files: changed, tree, notes: [...text.notes, ...notes].slice(0, mostNotes), dropped };
  const message =
    admitted.length === 0
      ? "every file of the patch was dropped: none is a source"
      : "the sources stay as they are";
  return { reason: "no-change", message, files };
}

const byteOrderMark = "\xef\xbb\xbf";

function judgeBytes(patch: Uint8Array, tree: Tree, scope: PatchScope): ReturnType<typeof judgeText> {
  if (patch.length > largest) return { reason: "malformed", message: "the patch is larger than 8 MiB" };
  if (patch.includes(0)) return { reason: "malformed", message: "the patch is binary: it holds NUL bytes" };
  const raw = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString("latin1");
  const marked = raw.startsWith(byteOrderMark);
  const plain = marked ? raw.slice(byteOrderMark.length) : raw;
  if (plain.trim() === "") return { reason: "no-change", message: "the patch is empty" };
  const text = readPatchText(plain);
  if (text.diffs.length > mostFiles)
    return { reason: "malformed", message: `the patch names more than ${mostFiles} files` };
  if (!marked) return judgeText(text, tree, scope);
  const note: PatchNote = { kind: "byte-order-mark", line: 1, message: "a byte order mark was dropped" };
  return judgeText({ ...text, notes: [note, ...text.notes] }, tree, scope);
}

/**
 * Applies a patch, as a model wrote it, to the sources of a task: in memory, all or nothing.
 *
 * Scope is decided over every path that the patch names before anything is applied. Hunks need their
 * exact lines; what was forgiven (counts, offsets, line ends, white space) is in `notes`. Never throws:
 * every fault of a patch is a value. The bytes of lines that the patch doesn't touch never change.
 */
export function applyPatchText(patch: Uint8Array, tree: Tree, scope: PatchScope): PatchResult {
  const digest = createHash("sha256").update(patch).digest("hex");
  const outcome = judgeBytes(patch, tree, scope);
  if ("reason" in outcome) return { status: "rejected", digest, findings: [], files: [], ...outcome };
  return { status: "applied", digest, ...outcome };
}
