/** A task folder of its own for a test, with changes to its manifest. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What may be changed in a manifest: every key, to whatever value, also to a wrong one. */
export type ManifestChanges = Readonly<Record<string, unknown>>;

/** Limits that let a test with a busy endless program end soon; the wall stays wide, for a machine that is busy too. */
export const shortLimits = { compileSeconds: 6, cpuSeconds: 2, outputKiB: 8192 };

/** Limits that let a test with a program that waits for ever end soon. */
export const shortWait = { cpuSeconds: 2, wallSeconds: 4 };

/** Copies `task` into a new folder inside `parent`; `changes` replace keys of the manifest. */
export function copyTask(task: string, parent: string, changes: ManifestChanges = {}): string {
  const copy = mkdtempSync(join(parent, "task-"));
  cpSync(task, copy, { recursive: true });
  const manifest = join(copy, "manifest.json");
  const read: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(manifest, JSON.stringify(Object.assign({}, read, changes), null, 2));
  return copy;
}
