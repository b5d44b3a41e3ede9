/** Precompiled system headers: they take half of a compile away and hold nothing of the candidate or the tests. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CandidateFlags, precompile } from "../model/build-plan.ts";
import type { FileTree } from "../model/task.ts";
import type { Bind } from "../sandbox/sandbox.ts";
import { runBuildStep } from "./build-step.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { inside, type Kit } from "./kit.ts";
import { leadingSystemIncludes } from "./preamble.ts";

/** A precompiled header that may stand in front of a unit, and its folder to bind as `/p`. */
export interface PrecompiledHeader {
  readonly key: string;
  readonly bind: Bind;
}

/** One unit: its text in the baseline, which decides what is precompiled, and its text now. */
export interface UnitTexts {
  readonly path: string;
  readonly baseline: string;
  readonly text: string;
  readonly forTests: boolean;
}

/**
 * The precompiled header for a unit, or null where there is none or it would not be the same program:
 * the unit, as patched, must still begin with the very system headers of the baseline.
 *
 * It is made when a task is graded for the second time, or at once when many patches are coming.
 */
export async function precompiledFor(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  unit: UnitTexts,
  tree: FileTree,
): Promise<PrecompiledHeader | null> {
  if (context.toolchain.family !== "gcc") return null;
  // The list of headers that a sealed oracle includes is part of it.
  if (unit.forTests && context.cache.isPrivate) return null;
  const baseline = new Map([...context.task.headers, ...context.task.sources]);
  const list = leadingSystemIncludes(unit.path, unit.baseline, flags.includeDirs, (p) => baseline.get(p));
  const now = leadingSystemIncludes(unit.path, unit.text, flags.includeDirs, (p) => tree.get(p));
  if (list.length === 0 || list.some((name, i) => now[i] !== name)) return null;
  const key = digestOf(kit.digest, kit.entrySymbol, String(unit.forTests), ...flags.cxxflags, "", ...list);
  const { cache } = context;
  if (!cache.has("pch", key) && !context.many && cache.readJson("pch", key) === undefined) {
    cache.writeJson("pch", key, { seen: true });
    return null;
  }
  const folder = await cache.folder("pch", key, (draft) =>
    build(context, kit, flags, list, unit.forTests, draft),
  );
  if (!existsSync(join(folder, "pre.hpp.gch"))) return null;
  if (!isFresh(folder)) {
    cache.drop("pch", key);
    return null;
  }
  return { key, bind: { from: folder, to: "/p" } };
}

/** Name of the header inside, for the build plan. */
export const precompiledName = { header: "/p/pre.hpp" } as const;

async function build(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  list: readonly string[],
  forTests: boolean,
  draft: string,
) {
  writeFileSync(join(draft, "pre.hpp"), list.map((name) => `#include <${name}>\n`).join(""));
  const out = context.machine.newFolder("pch");
  const limits = context.task.manifest.limits;
  const folders = {
    out,
    more: [
      { from: draft, to: "/p" },
      { from: kit.includeFolder, to: inside.include },
    ],
  };
  const result = await runBuildStep(context.machine, kit, precompile(flags, forTests), folders, limits);
  // A header that can't be compiled alone is left to the units, which will say so themselves.
  if (!result.built) return;
  writeFileSync(
    join(draft, "stamps.json"),
    JSON.stringify(stamps(dependenciesIn(readFileSync(join(out, "pre.d"), "latin1")))),
  );
  writeFileSync(join(draft, "pre.hpp.gch"), readFileSync(join(out, "pre.hpp.gch")));
}

/** The files named in a `-MD` dependency file, without its target; names as the tree has them, in latin1. */
export function dependenciesIn(text: string): string[] {
  const list = text.replace(/\\\r?\n/g, " ").replace(/^[^:]*:/, "");
  // As make reads them: `$$` is a dollar, and a backslash stands before a blank or a `#` of a name.
  const names = list.match(/(?:\\[ #]|[^ \t\n])+/g) ?? [];
  return names
    .filter((name) => name !== "-")
    .map((name) => name.replace(/\\([ #])/g, "$1").replaceAll("$$", "$"));
}

/** Size and time of each system header: an upgrade of the library makes what was compiled from it stale. */
export function stamps(files: readonly string[]): [string, string][] {
  return files
    .filter((file) => file.startsWith("/usr/") || file.startsWith("/lib"))
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return [file, stat ? `${stat.size}:${stat.mtimeMs}` : "gone"];
    });
}

function isFresh(folder: string): boolean {
  const kept = JSON.parse(readFileSync(join(folder, "stamps.json"), "utf8")) as [string, string][];
  const now = stamps(kept.map(([file]) => file));
  return kept.every(([, stamp], i) => now[i]?.[1] === stamp);
}
