/** A task folder while it is being read: files by path, and every fault with its place in the manifest. */
import type { JSONPath } from "jsonc-parser";
import type { ReadManifest } from "../model/manifest.ts";
import type { Fault } from "../model/manifest-fault.ts";
import { keyName, shown } from "../model/manifest-issues.ts";
import type { Spot } from "../model/manifest-source.ts";
import type { Bytes } from "../model/task.ts";
import { type FileRead, readInside } from "./files.ts";

/** One load of one task. */
export interface Reading extends ReadManifest {
  /** Real path of the task folder. */
  readonly root: string;
  /** What is wrong so far; thrown together once everything has been looked at. */
  readonly faults: Fault[];
  readonly cache: Map<string, FileRead>;
}

/** A fault at a key of the manifest. */
export function addFault(reading: Reading, at: JSONPath, message: string, hint?: string, spot?: Spot): void {
  reading.faults.push({
    message,
    location: reading.locate(at, spot),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The file's bytes if it is there and sound; faults are left to the caller. */
export function peek(reading: Reading, path: string): Bytes | undefined {
  const read = cached(reading, path);
  return "bytes" in read ? read.bytes : undefined;
}

/** The bytes of a file that the manifest names; a fault and empty bytes if it can't be had. */
export function readNamed(
  reading: Reading,
  at: JSONPath,
  path: string,
  options: { links?: "none"; spot?: Spot } = {},
): Bytes {
  const read = options.links === "none" ? readInside(reading.root, path, "none") : cached(reading, path);
  if ("bytes" in read) return read.bytes;
  const key = keyName(options.spot === "key" ? at.slice(0, -1) : at);
  const hint = read.isMissing
    ? "create the file, or mend the path; paths are relative to the manifest's folder"
    : undefined;
  addFault(reading, at, `file in ${key} ${read.fault} · ${shown(path)}`, hint, options.spot);
  return "";
}

function cached(reading: Reading, path: string): FileRead {
  const read = reading.cache.get(path) ?? readInside(reading.root, path);
  reading.cache.set(path, read);
  return read;
}
