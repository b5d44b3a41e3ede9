/** The lock of a task: digests of all that a verdict depends on, so that a later edit of any of it is seen. */
import * as z from "zod/mini";
import { digestOf, sha256, type Task } from "./task.ts";

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Schema of `manifest.lock.json`. */
export const lockSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  /** Each key of the manifest with its defaults filled in. */
  manifest: z.record(z.string(), digest),
  /** Prompt, sources, headers and recorded patches; tests and oracles byte for byte. */
  files: z.record(z.string(), digest),
  /** Each test with the helpers that it includes, and each target's cases and input. */
  tests: z.record(z.string(), digest),
});

export type Lock = z.infer<typeof lockSchema>;

/** The lock that would be written for a task as it is. */
export function lockOf(task: Task): Lock {
  const targets = Object.values(task.layers).flat();
  const tests = targets.flatMap(({ sources }) => sources);
  const files: [string, string][] = [
    ...(task.manifest.prompt === undefined
      ? []
      : [[task.manifest.prompt, task.prompt ?? ""] as [string, string]]),
    ...task.sources,
    ...task.headers,
    ...tests.map(({ path, text }): [string, string] => [path, text]),
    ...task.recorded.map(({ path, bytes }): [string, string] => [path, bytes]),
  ];
  const units = tests.map(({ path, unit }) => [`${path} with what it includes`, sha256(unit)]);
  const inputs = targets.map(({ name, cases, stdin }) => [
    `${name}: cases and input`,
    digestOf([cases, stdin]),
  ]);
  return {
    schemaVersion: 1,
    id: task.id,
    manifest: Object.fromEntries(Object.entries(task.manifest).map(([key, value]) => [key, digestOf(value)])),
    files: Object.fromEntries(files.map(([path, bytes]) => [path, sha256(bytes)])),
    tests: Object.fromEntries([...units, ...inputs]),
  };
}

/** What differs, each in a few words that name the file or key; empty where the lock holds. */
export function driftOf(lock: Lock, now: Lock): string[] {
  const files = differences(lock.files, now.files, (path) => path);
  return [
    ...(lock.id === now.id ? [] : [`the task's id was ${lock.id}`]),
    ...files,
    // The file itself says it better than the unit that it went into.
    ...differences(lock.tests, now.tests, (name) => name).filter(
      (line) => !files.some((file) => line.startsWith(file.split(" ")[0] ?? "")),
    ),
    ...differences(lock.manifest, now.manifest, (key) => `"${key}" in the manifest`),
  ];
}

function differences(
  then: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  name: (key: string) => string,
): string[] {
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort();
  return keys
    .filter((key) => then[key] !== now[key])
    .map((key) => {
      if (then[key] === undefined) return `${name(key)} is new`;
      return now[key] === undefined ? `${name(key)} is gone` : `${name(key)} has changed`;
    });
}
