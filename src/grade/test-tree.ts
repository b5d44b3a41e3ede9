/** What tests are compiled against: the patched headers, without macros that nobody who reads them names. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LayerName } from "../model/manifest.ts";
import type { FileTree, Target, Task } from "../model/task.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { inside, type Kit } from "./kit.ts";
import { sameHeaderDirectives, withoutSilentMacros } from "./silent-macros.ts";

/** The files as tests shall see them, or undefined where those are just the patched ones. */
export function filesForTests(
  context: GradeContext,
  layers: readonly LayerName[],
  files: FileTree,
): FileTree | undefined {
  const { task } = context;
  const all = [...task.layers.visible, ...task.layers.hidden, ...task.layers.reserve];
  const texts = all.flatMap(({ sources, cxxflags }) => [...sources.map(({ unit }) => unit), ...cxxflags]);
  // Hygiene reads headers as the tests of these two layers do, whichever is graded.
  const read = new Set<LayerName>([...layers, "visible", "hidden"]);
  const targets = all.filter(({ layer }) => read.has(layer));
  return withoutSilentMacros(task.sources, files, {
    texts,
    namedOutside: (names) => targets.some((target) => isNamedOutside(context, target, names)),
  });
}

/** Where nobody has seen yet what a target includes, anything may be named there. */
function isNamedOutside(context: GradeContext, target: Target, names: readonly string[]): boolean {
  const reads = context.cache.readJson("test", readsKey(context, target)) as string[] | undefined;
  return reads === undefined || reads.some((file) => names.some((name) => isNamedIn(file, name)));
}

function isNamedIn(file: string, name: string): boolean {
  // A header that is gone since may be anywhere else now.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
  return readFileSync(file).includes(name);
}

/** Notes which files outside of the task a target includes, where a tree asks for those of the baseline. */
export function rememberReads(
  context: GradeContext,
  kit: Kit,
  target: Target,
  files: FileTree,
  dependencies: readonly string[],
): void {
  const key = readsKey(context, target);
  if (context.cache.readJson("test", key) !== undefined) return;
  if (!sameHeaderDirectives(baselineOf(context.task), files)) return;
  const onHost = (path: string) =>
    path.startsWith(`${inside.include}/`) ? join(kit.includeFolder, path.slice(inside.include.length)) : path;
  const outside = dependencies.filter((path) => path.startsWith("/") && !path.startsWith("/p/")).map(onHost);
  context.cache.writeJson("test", key, outside);
}

function baselineOf({ headers, sources }: Task): FileTree {
  return new Map([...headers, ...sources]);
}

function readsKey({ task, toolchain }: GradeContext, target: Target): string {
  return digestOf("reads", toolchain.digest, task.digest, target.name);
}
