/** The lock file beside a manifest: read, held against the task, and written. */
import { basename, dirname, join } from "node:path";
import { GraderError } from "../model/errors.ts";
import { driftOf, type Lock, lockOf, lockSchema } from "../model/lock.ts";
import { decoded } from "../model/patch-diff.ts";
import type { Task } from "../model/task.ts";
import { readRegular, writeWhole } from "./files.ts";

/** What the lock file says of the task as it is. */
export type LockState =
  | { readonly status: "none" }
  | { readonly status: "holds" }
  /** At least one line, each naming a file or key. */
  | { readonly status: "drifted"; readonly drift: readonly string[] };

/** `manifest.lock.json` for `manifest.json`. */
export function lockPath({ manifestPath }: Pick<Task, "manifestPath">): string {
  return join(dirname(manifestPath), `${basename(manifestPath, ".json")}.lock.json`);
}

/** Holds a task against its lock file. A file that can't be read counts as drift: it protects nothing. */
export function readLock(task: Task): LockState {
  const path = lockPath(task);
  const read = readRegular(path);
  if ("fault" in read)
    return read.isMissing
      ? { status: "none" }
      : { status: "drifted", drift: [`${basename(path)} ${read.fault}`] };
  const lock = parse(decoded(read.bytes));
  if (lock === undefined) return { status: "drifted", drift: [`${basename(path)} is not a lock file`] };
  const drift = driftOf(lock, lockOf(task));
  return drift.length === 0 ? { status: "holds" } : { status: "drifted", drift };
}

/** Writes the lock of a task as it is and gives its path. @throws GraderError 66 */
export function writeLock(task: Task): string {
  const path = lockPath(task);
  writeWhole(path, `${JSON.stringify(lockOf(task), null, 2)}\n`);
  return path;
}

/** @throws GraderError 65 where the task has drifted from its lock, or must have one and has none. */
export function assertLockHolds(task: Task): void {
  const state = readLock(task);
  const location = { file: task.manifestPath, line: 1, column: 1 };
  if (state.status === "holds") return;
  if (state.status === "none") {
    if (!task.manifest.locked) return;
    throw new GraderError(65, `the task must be locked and has no ${basename(lockPath(task))}`, {
      hint: "run `hidden-oracle lock`, or restore the file",
      location,
    });
  }
  const [first, ...more] = state.drift;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  throw new GraderError(65, `the task has drifted from its lock · ${first}${rest}`, {
    hint: "restore it, or lock the task anew with `hidden-oracle lock`",
    location,
  });
}

function parse(text: string): Lock | undefined {
  try {
    return lockSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
