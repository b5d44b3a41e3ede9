/** Reads and takes away what a program left in a folder: hostile names, modes, links and sizes included. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
} from "node:fs";
import type { Tree, TreeEntry } from "../model/tree.ts";

/** Bounds of what is read. */
export interface TreeBounds {
  readonly mostEntries: number;
  /** A file beyond this, or past what is left of `mostBytes`, is `large`. */
  readonly largestFile: number;
  readonly mostBytes: number;
}

/** The tree, or why it can't be had. Nothing may be running in the folder any more. */
export function readLeftTree(
  folder: string,
  skip: (path: string) => boolean,
  bounds: TreeBounds,
): Tree | { readonly why: string } {
  const tree = new Map<string, TreeEntry>();
  let bytes = 0;
  let seen = 0;
  for (const { path, full, isFolder } of walk(folder, skip, listOpened)) {
    if (++seen > bounds.mostEntries) return { why: `more than ${bounds.mostEntries} files were left` };
    if (full.length > longestPath) return { why: "the folders that were left are too deep" };
    if (isFolder) continue;
    const entry = readEntry(full, Math.min(bounds.largestFile, bounds.mostBytes - bytes));
    if (entry.kind === "file") bytes += entry.bytes.length;
    tree.set(path, entry);
  }
  return tree;
}

/**
 * Bytes that a folder takes up; infinity where that can't be told: past `mostEntries` entries, very deep, or
 * closed to us. Programs may still be changing it, so nothing is changed here.
 */
export function sizeOfFolder(folder: string, mostEntries: number): number {
  let [size, seen] = [0, 0];
  try {
    for (const { blocks, full } of walk(folder, () => false, listChanging)) {
      if (++seen > mostEntries || full.length > longestPath) return Number.POSITIVE_INFINITY;
      size += blocks * 512;
    }
    return size;
  } catch (error) {
    // Whoever closes a folder hides how large it is.
    if ((error as NodeJS.ErrnoException).code === "EACCES") return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Names in a folder that may go away, or become something else, at any moment. */
function listChanging(place: Buffer): string[] {
  try {
    return readdirSync(place, { encoding: "latin1" });
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function statusOf(place: Buffer): Stats | undefined {
  try {
    return lstatSync(place);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Also where a folder on the way became a file or a link. */
function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Takes a folder away, whatever the modes and the depth of what is in it. Its own first level must be the caller's. */
export function removeLeftTree(folder: string): void {
  const open: Buffer[] = [Buffer.from(folder)];
  let moved = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const name of listOpened(at)) {
      let full = below(at, name);
      if (lstatSync(full, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      if (full.length > longestPath) {
        // What lies deeper than a path can be long is within reach from higher up.
        openUp(full);
        const near = Buffer.from(`${folder}/deep-${moved++}`);
        renameSync(full, near);
        full = near;
      }
      open.push(full);
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Half of what Linux takes for one path, so that one more name always fits. */
const longestPath = 2048;

interface Visit {
  /** From the folder, as bytes. */
  readonly path: string;
  readonly full: Buffer;
  readonly isFolder: boolean;
  readonly blocks: number;
}

/** Depth first without recursion, since what was left may be thousands of folders deep. */
function* walk(
  folder: string,
  skip: (path: string) => boolean,
  list: (place: Buffer) => string[],
): Generator<Visit> {
  const root = Buffer.from(folder);
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const here = at;
    for (const name of list(here === "" ? root : below(root, here))) {
      const path = here === "" ? name : `${here}/${name}`;
      if (skip(path)) continue;
      const full = below(root, path);
      const status = statusOf(full);
      if (status === undefined) continue;
      const isFolder = status.isDirectory();
      if (isFolder && full.length <= longestPath) open.push(path);
      yield { path, full, isFolder, blocks: status.blocks };
    }
  }
}

function below(folder: Buffer, path: string): Buffer {
  return Buffer.concat([folder, Buffer.from(`/${path}`, "latin1")]);
}

/** Names in a folder at rest, which its owner may have closed. */
function listOpened(place: Buffer): string[] {
  openUp(place);
  return readdirSync(place, { encoding: "latin1" });
}

/** Root needs no such thing; for others the folder is their own. */
function openUp(place: Buffer): void {
  if (process.getuid?.() !== 0) chmodSync(place, 0o700);
}

function readEntry(full: Buffer, most: number): TreeEntry {
  const status = lstatSync(full);
  if (status.isSymbolicLink()) return { kind: "link", target: readlinkSync(full, { encoding: "latin1" }) };
  if (!status.isFile()) return { kind: "special" };
  if (status.size > most) return { kind: "large" };
  if ((status.mode & 0o400) === 0 && process.getuid?.() !== 0) chmodSync(full, 0o600);
  const fd = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) return { kind: "special" };
    return { kind: "file", bytes: readFileSync(fd, "latin1"), executable: (status.mode & 0o100) !== 0 };
  } finally {
    closeSync(fd);
  }
}
