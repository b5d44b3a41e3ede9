/** Compiles the patched sources into one shared object, where neither tests nor oracle nor task folder exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CandidateFlags,
  compileAndLinkCandidate,
  compileCandidateUnit,
  linkCandidate,
} from "../model/build-plan.ts";
import { type FileTree, isUnit } from "../model/task.ts";
import { type Built, runBuildStep } from "./build-step.ts";
import type { GradeContext } from "./context.ts";
import { type ElfFile, readElf } from "./elf.ts";
import { inside, type Kit } from "./kit.ts";
import { precompiledFor, precompiledName } from "./precompiled.ts";

/** The patched tree: its files, and the folder on the host where they lie. */
export interface LaidTree {
  readonly files: FileTree;
  readonly folder: string;
}

/** The candidate, ready to be loaded. */
export interface CandidateObject {
  /** Host folder to bind as `/c`; it holds `candidate.so`. */
  readonly folder: string;
  readonly elf: ElfFile;
}

/** Compiles all units of the tree with one set of flags and links them. */
export async function buildCandidate(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
): Promise<Built<CandidateObject>> {
  const units = [...tree.files.keys()].filter((path) => isUnit(path) && !context.task.headers.has(path));
  // Without units, all of the candidate is in the headers; the empty object stands in for it.
  if (units.length === 0) return { built: true, value: openObject(kit.buildFolder) };
  const out = context.machine.newFolder("candidate");
  const [only] = units;
  const built =
    units.length === 1 && only !== undefined
      ? await buildOne(context, kit, flags, tree, only, out)
      : await buildSeveral(context, kit, flags, tree, units, out);
  if (!built.built) return built;
  try {
    return { built: true, value: openObject(out) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      built: false,
      cause: "link-error",
      detail: `the linked object can't be read: ${error.message}`,
      findings: [],
    };
  }
}

function openObject(folder: string): CandidateObject {
  return { folder, elf: readElf(readFileSync(join(folder, "candidate.so"))) };
}

async function buildOne(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
  unit: string,
  out: string,
) {
  const pch = await unitHeader(context, kit, flags, tree, unit);
  const step = compileAndLinkCandidate(flags, unit, inside.candidateObject, pch && precompiledName);
  const folders = { tree: tree.folder, out, more: pch ? [pch.bind] : [] };
  return runBuildStep(context.machine, kit, step, folders, context.task.manifest.limits);
}

async function buildSeveral(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
  units: readonly string[],
  out: string,
): Promise<Built<null>> {
  const { machine, task } = context;
  const steps = units.map(async (unit, i) => {
    // A folder for each: another user may write each of them.
    const own = machine.newFolder("unit");
    const pch = await unitHeader(context, kit, flags, tree, unit);
    const step = compileCandidateUnit(flags, unit, `${i}.o`, pch && precompiledName);
    const folders = { tree: tree.folder, out: own, more: pch ? [pch.bind] : [] };
    const built = await runBuildStep(machine, kit, step, folders, task.manifest.limits);
    return { built, object: join(own, `${i}.o`), name: `${i}.o` };
  });
  const results = await Promise.all(steps);
  const failed = results.find(({ built }) => !built.built);
  if (failed) return failed.built;
  const step = linkCandidate(
    flags.compiler,
    results.map(({ name }) => name),
    inside.candidateObject,
  );
  const inputs = results.map(({ object, name }) => ({ from: object, to: `/i/${name}` }));
  return runBuildStep(machine, kit, step, { out, more: inputs }, task.manifest.limits);
}

function unitHeader(context: GradeContext, kit: Kit, flags: CandidateFlags, tree: LaidTree, unit: string) {
  const text = tree.files.get(unit) ?? "";
  const texts = { path: unit, baseline: context.task.sources.get(unit) ?? text, text, forTests: false };
  return precompiledFor(context, kit, flags, texts, tree.files);
}
