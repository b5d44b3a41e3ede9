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
  rmSync,
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
  for (const { path, full, isFolder } of walk(folder, skip)) {
    if (++seen > bounds.mostEntries) return { why: `more than ${bounds.mostEntries} files were left` };
    if (isFolder) continue;
    const entry = readEntry(full, Math.min(bounds.largestFile, bounds.mostBytes - bytes));
    if (entry.kind === "file") bytes += entry.bytes.length;
    tree.set(path, entry);
  }
  return tree;
}

/** Bytes that a folder takes up, or infinity past `mostEntries` entries. Programs may still be changing it. */
export function sizeOfFolder(folder: string, mostEntries: number): number {
  let [size, seen] = [0, 0];
  for (const { blocks } of walk(folder, () => false, "racing")) {
    if (++seen > mostEntries) return Number.POSITIVE_INFINITY;
    size += blocks * 512;
  }
  return size;
}

/** Takes a folder away, whatever the modes of what is in it. */
export function removeLeftTree(folder: string): void {
  // The walk opens folders that were closed; root needs no such thing.
  if (process.getuid?.() !== 0 && lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
    for (const _each of walk(folder, () => false));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

interface Visit {
  /** From the folder, as bytes. */
  readonly path: string;
  readonly full: Buffer;
  readonly isFolder: boolean;
  readonly blocks: number;
}

/** Depth first without recursion, since what was left may be thousands of folders deep. */
function* walk(folder: string, skip: (path: string) => boolean, mode?: "racing"): Generator<Visit> {
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const here = at;
    for (const name of listing(placeOf(folder, here), mode)) {
      const path = here === "" ? name : `${here}/${name}`;
      if (skip(path)) continue;
      const full = placeOf(folder, path);
      const status = lstatSync(full, { throwIfNoEntry: false });
      if (status === undefined) continue;
      const isFolder = status.isDirectory();
      if (isFolder) open.push(path);
      yield { path, full, isFolder, blocks: status.blocks };
    }
  }
}

function placeOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
}

function listing(place: Buffer, mode: "racing" | undefined): string[] {
  try {
    return readdirSync(place, { encoding: "latin1" });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (mode === "racing") return [];
    // Its owner may have closed it; it is this user's own all the same.
    if (code !== "EACCES") throw error;
    chmodSync(place, 0o700);
    return readdirSync(place, { encoding: "latin1" });
  }
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
