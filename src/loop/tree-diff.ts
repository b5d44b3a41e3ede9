/** Two trees → one patch in git's form, computed from bytes alone: nothing is run, no link is followed. */
import { createTwoFilesPatch, OMIT_HEADERS } from "diff";
import type { Bytes } from "../model/task.ts";
import type { Tree, TreeEntry } from "../model/tree.ts";
import { makeDiff } from "./make-diff.ts";

/** What became of a tree. */
export type TreeDiff =
  | { readonly status: "patch"; readonly patch: string }
  | { readonly status: "same" }
  /** No patch can say what was left there. */
  | { readonly status: "unspeakable"; readonly why: string };

/** The most that a patch may hold; what is larger would be refused anyway. */
const largestPatch = 8 * 1024 * 1024;
/** A pair of texts that takes longer becomes one hunk. */
const diffMs = 2000;

/** The difference, files in the order of their paths. Deletions, links and modes are in it for the judge to refuse. */
export function treeDiff(before: Tree, after: Tree): TreeDiff {
  const parts: string[] = [];
  let size = 0;
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(path), after.get(path)];
    if (now?.kind === "special")
      return { status: "unspeakable", why: `${nameOf("", path)} is a pipe, a socket or a device` };
    const part = entryDiff(path, old, now);
    parts.push(part);
    size += part.length;
    if (size > largestPatch) return { status: "unspeakable", why: "the change is larger than 8 MiB" };
  }
  const patch = parts.join("");
  return patch === "" ? { status: "same" } : { status: "patch", patch };
}

function entryDiff(path: Bytes, old: TreeEntry | undefined, now: TreeEntry | undefined): string {
  // A file that became a link is two changes, as in git.
  if (old !== undefined && now !== undefined && (old.kind === "link") !== (now.kind === "link"))
    return entryDiff(path, old, undefined) + entryDiff(path, undefined, now);
  const body = bodyOf(path, old, now);
  const mode = modeLines(old, now);
  return body === "" && mode === ""
    ? ""
    : `diff --git ${nameOf("a/", path)} ${nameOf("b/", path)}\n${mode}${body}`;
}

function modeLines(old: TreeEntry | undefined, now: TreeEntry | undefined): string {
  const [oldMode, newMode] = [modeOf(old), modeOf(now)];
  if (oldMode === newMode) return "";
  if (oldMode === undefined) return `new file mode ${newMode}\n`;
  if (newMode === undefined) return `deleted file mode ${oldMode}\n`;
  return `old mode ${oldMode}\nnew mode ${newMode}\n`;
}

function modeOf(entry: TreeEntry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  if (entry.kind === "link") return "120000";
  return entry.kind === "file" && entry.executable ? "100755" : "100644";
}

function bodyOf(path: Bytes, old: TreeEntry | undefined, now: TreeEntry | undefined): string {
  const [before, after] = [contentOf(old), contentOf(now)];
  if (before !== null && before === after) return "";
  const [oldName, newName] = [
    old === undefined ? "/dev/null" : nameOf("a/", path),
    now === undefined ? "/dev/null" : nameOf("b/", path),
  ];
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (oldText === null || newText === null) return `Binary files ${oldName} and ${newName} differ\n`;
  if (oldText === newText) return "";
  const hunks = hunksOf(oldText, newText);
  return `--- ${oldName}\n+++ ${newName}\n${hunks}`;
}

function hunksOf(before: string, after: string): string {
  const options = { context: 3, timeout: diffMs, headerOptions: OMIT_HEADERS };
  const text = createTwoFilesPatch("a", "b", before, after, undefined, undefined, options);
  // Without hunks of the library's, all that differs in one; its headers name no file that matters.
  return text ?? makeDiff("b", before, after).split("\n").slice(2).join("\n");
}

/** Bytes of a file or of a link's target; empty where there is nothing, null where they were not read. */
function contentOf(entry: TreeEntry | undefined): Bytes | null {
  switch (entry?.kind) {
    case undefined:
      return "";
    case "file":
      return entry.bytes;
    case "link":
      return entry.target;
    case "large":
    case "special":
      return null;
  }
}

/** Text with plain line ends (a patch takes those of the sources), or null where it is none. */
function textOf(bytes: Bytes | null): string | null {
  if (bytes === null || bytes.includes("\0")) return null;
  const buffer = Buffer.from(bytes, "latin1");
  const text = buffer.toString("utf8");
  return Buffer.from(text, "utf8").equals(buffer) ? text.replace(/\r\n/g, "\n") : null;
}

/** A path as git writes it: in quotes, with octal escapes, where it holds anything odd. */
function nameOf(prefix: string, path: Bytes): string {
  const name = prefix + path;
  if (/^[!#-[\]-~]+$/.test(name)) return name;
  return `"${name.replace(/[^ !#-[\]-~]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
}
