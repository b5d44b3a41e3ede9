/** Files of a task folder: read only if they are regular, of sane size, and really inside. */
import { randomBytes } from "node:crypto";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, sep } from "node:path";
import { GraderError } from "../model/errors.ts";
import type { Bytes } from "../model/task.ts";

/** The most that one file of a task may hold. */
export const largestFile = 8 * 1024 * 1024;

/** A file's bytes, or why they can't be had. `isMissing` tells an absent file from a bad one. */
export type FileRead = { readonly bytes: Bytes } | { readonly fault: string; readonly isMissing: boolean };

/** The task folder by its real path, so that links out of it can be told. */
export function realRoot(root: string): string {
  return realpathSync(root);
}

/**
 * Reads `path` below `root`, which must be a real path. `links: "none"` refuses any link on the way:
 * a patch writes sources, and writing through a link would land elsewhere.
 */
export function readInside(root: string, path: string, links: "inside" | "none" = "inside"): FileRead {
  const refuse = (fault: string): FileRead => ({ fault, isMissing: false });
  try {
    const full = join(root, path);
    const real = realpathSync(full);
    if (links === "none" && real !== full) return refuse("is a symbolic link or lies behind one");
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      return refuse("is a link that leaves the task folder");
    return readRegular(real);
  } catch (error) {
    return unread(error);
  }
}

/** Reads a file that lies beside the manifest, wherever a link in its place leads. */
export function readRegular(path: string): FileRead {
  const refuse = (fault: string): FileRead => ({ fault, isMissing: false });
  try {
    // Before opening: a FIFO would block the open for ever.
    const status = statSync(path);
    if (!status.isFile())
      return refuse(status.isDirectory() ? "is a folder, not a file" : "is not a regular file");
    if (status.size > largestFile) return refuse("is larger than 8 MiB");
    return { bytes: readFileSync(path, "latin1") };
  } catch (error) {
    return unread(error);
  }
}

/** What a failed call says of the file; anything but a system error is a bug of ours and goes on. */
function unread(error: unknown): FileRead {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "does not exist", isMissing: true };
  if (code === undefined) throw error;
  return { fault: `can't be read (${code})`, isMissing: false };
}

/** Whether `path` is a folder that really lies inside `root`. */
export function isFolderInside(root: string, path: string): boolean {
  try {
    const real = realpathSync(join(root, path));
    return (
      (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) &&
      lstatSync(real).isDirectory()
    );
  } catch (error) {
    unread(error);
    return false;
  }
}

/** Paths of all files and links below a folder, sorted, relative to `root`. Dot files and dot folders are left out, links not followed. */
export function filesBelow(root: string, folder: string): string[] {
  if (!isFolderInside(root, folder)) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.name.startsWith(".")) return [];
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

/** Writes a file so that it is there whole or not at all. @throws GraderError 66 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, content, { flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new GraderError(66, `cannot write ${path} · ${code}`, {
      hint: "check who may write in that folder, and that the disk has room",
      cause: error,
    });
  }
}
