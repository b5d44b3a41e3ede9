/** `grade --plan`: the commands that a grade would run, printed and not run. */
import { applyToTask } from "../grade/recorded.ts";
import type { Candidate } from "../grade/request.ts";
import { testFlagsOf } from "../grade/test-flags.ts";
import {
  type BuildStep,
  type CandidateFlags,
  candidateFlagsOf,
  compileAndLinkCandidate,
  compileCandidateUnit,
  compilePlainTest,
  compileTestUnit,
  linkCandidate,
  linkPlain,
  linkTest,
} from "../model/build-plan.ts";
import { GraderError } from "../model/errors.ts";
import type { LayerName } from "../model/manifest.ts";
import { type FileTree, isUnit, type Target, type Task } from "../model/task.ts";
import { exitOf } from "../model/verdict.ts";
import { findProgram } from "../sandbox/sandbox.ts";
import { readCalibration } from "../task/certificate.ts";
import { writeErr, writeOut } from "./terminal.ts";

/** What changes the plan. */
export interface PlanOptions {
  readonly final: boolean;
  readonly referenceBuild: boolean;
  readonly json: boolean;
}

/** Prints the plan for a candidate; 5 with the reason where it can't be judged. */
export async function printPlan(task: Task, candidate: Candidate, options: PlanOptions): Promise<number> {
  const applied = candidate.kind === "patch" ? applyToTask(task, candidate.bytes) : undefined;
  if (applied?.status === "rejected") {
    writeErr(`${applied.reason}: ${applied.message}`);
    return exitOf.REJECTED;
  }
  const tree = applied?.tree ?? (candidate.kind === "sources" ? candidate.files : task.sources);
  const steps = planOf(task, tree, compilerOf(task), options);
  if (options.json) await writeOut(`${JSON.stringify(steps, null, process.stdout.isTTY ? 2 : undefined)}\n`);
  else await writeOut(steps.map(({ argv }) => `${shellLine(argv)}\n`).join(""));
  return 0;
}

function compilerOf(task: Task): string {
  const name = task.manifest.compilers[0] ?? "g++";
  const found = name.startsWith("/") ? name : findProgram(name, process.env.PATH ?? "");
  if (found !== undefined) return found;
  throw new GraderError(69, `no compiler · ${name} is not on PATH`, { hint: "run `hidden-oracle doctor`" });
}

/** Every command, in order: candidate, tests, runs. Paths are the sandbox's; precompiled headers are left out. */
export function planOf(
  task: Task,
  tree: FileTree,
  compiler: string,
  options: Omit<PlanOptions, "json">,
): BuildStep[] {
  const calibration = readCalibration(task);
  const layers: LayerName[] = options.final ? ["visible", "hidden", "reserve"] : ["visible", "hidden"];
  const targets = layers.flatMap((layer) => task.layers[layer]);
  const units = [...tree.keys()].filter((path) => isUnit(path) && !task.headers.has(path));
  const flagsOf = (cxxflags: readonly string[]): CandidateFlags => {
    return { compiler, cxxflags, includeDirs: task.includeDirs };
  };
  if (options.referenceBuild)
    return targets.flatMap((target) => plainSteps(task, target, flagsOf(target.cxxflags), units));
  const kinds = new Map(targets.map((target) => [candidateFlagsOf(target.cxxflags).join("\0"), target]));
  return [
    ...[...kinds.values()].flatMap((target) =>
      candidateSteps(flagsOf(candidateFlagsOf(target.cxxflags)), units),
    ),
    ...targets.flatMap((target) =>
      testSteps(task, target, flagsOf(testFlagsOf({ task, calibration }, target, tree))),
    ),
    ...targets.map((target): BuildStep => ({ what: `run ${target.name}`, argv: ["/b/launcher"] })),
  ];
}

function candidateSteps(flags: CandidateFlags, units: readonly string[]): BuildStep[] {
  const soname = "/c/candidate.so";
  const [only, ...others] = units;
  if (only === undefined) return [];
  if (others.length === 0) return [compileAndLinkCandidate(flags, only, soname, null)];
  const objects = units.map((_, i) => `${i}.o`);
  return [
    ...units.map((unit, i) => compileCandidateUnit(flags, unit, `${i}.o`, null)),
    linkCandidate(flags.compiler, objects, soname),
  ];
}

function plainSteps(
  task: Task,
  target: Target,
  flags: CandidateFlags,
  units: readonly string[],
): BuildStep[] {
  const objects = target.sources.map((_, i) => `${i}.o`);
  return [
    ...objects.map((object) => named(compilePlainTest(flags, object), target)),
    named(linkPlain(flags, objects, units, task.manifest.ldflags), target),
    { what: `run ${target.name}`, argv: ["/o/program", ...target.args] },
  ];
}

function testSteps(task: Task, target: Target, flags: CandidateFlags): BuildStep[] {
  const objects = target.sources.map((_, i) => `${i}.o`);
  if (objects.length === 0) return [];
  return [
    ...objects.map((object) => named(compileTestUnit(flags, object, null), target)),
    named(
      linkTest(flags.compiler, objects, { name: "ENTRY", symbol: "SYMBOL" }, task.manifest.ldflags),
      target,
    ),
  ];
}

function named({ what, argv }: BuildStep, target: Target): BuildStep {
  return { what: `${what} (${target.name})`, argv };
}

/** An argv as a shell would read it. */
export function shellLine(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
