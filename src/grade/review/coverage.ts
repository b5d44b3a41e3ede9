/** Which of the lines that a patch changed the hidden checks executed: one more build, instrumented by the compiler. */
import { basename, dirname, join } from "node:path";
import { diffLines } from "diff";
import * as z from "zod/mini";
import {
  compileCoverageTest,
  compileCoverageUnit,
  linkCoverage,
  readCoverage,
} from "../../model/build-plan.ts";
import { GraderError } from "../../model/errors.ts";
import { type Bytes, type FileTree, isUnit, type Target } from "../../model/task.ts";
import { findProgram, systemBinds } from "../../sandbox/sandbox.ts";
import { outerFilter } from "../../sandbox/seccomp.ts";
import { runBuildStep } from "../build-step.ts";
import type { LaidTree } from "../candidate.ts";
import type { GradeContext } from "../context.ts";
import { type Kit, openKit } from "../kit.ts";

/** A line that a patch changed or added, from 1, in the patched file. */
export interface ChangedLine {
  readonly file: string;
  readonly line: number;
}

/** Changed lines that have code, and which of them no hidden check executed. */
export interface Coverage {
  readonly changed: number;
  readonly missed: readonly ChangedLine[];
}

/** By file and line: how often it was executed. Lines without code are absent. */
type Counts = Map<string, Map<number, number>>;

// The part of gcov's JSON that is read here: gcov(1), --json-format.
const gcovSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      lines: z.array(z.object({ line_number: z.number(), count: z.number() })),
    }),
  ),
});

/**
 * Builds and runs every hidden target once more, without sanitizers.
 *
 * @throws GraderError 69 where the compiler's coverage tool is missing, 75 when the instrumented build fails.
 */
export async function measureCoverage(context: GradeContext, tree: LaidTree): Promise<Coverage> {
  const counts: Counts = new Map();
  for (const target of context.task.layers.hidden) await addCounts(context, tree, target, counts);
  const changed = changedLines(context.task.sources, tree.files).filter(
    ({ file, line }) => counts.get(file)?.get(line) !== undefined,
  );
  return {
    changed: changed.length,
    missed: changed.filter(({ file, line }) => counts.get(file)?.get(line) === 0),
  };
}

/** Lines of the patched files that are not in the baseline's. */
export function changedLines(before: FileTree, after: FileTree): ChangedLine[] {
  return [...after].flatMap(([file, text]) => {
    const old = before.get(file);
    return old === text ? [] : newLines(old ?? "", text).map((line) => ({ file, line }));
  });
}

function newLines(before: Bytes, after: Bytes): number[] {
  const lines: number[] = [];
  let at = 1;
  for (const { added, removed, count } of diffLines(before, after)) {
    if (added) for (let i = 0; i < count; i++) lines.push(at + i);
    if (!removed) at += count;
  }
  return lines;
}

async function addCounts(
  context: GradeContext,
  tree: LaidTree,
  target: Target,
  counts: Counts,
): Promise<void> {
  const { machine, cache, toolchain, task } = context;
  const kit = await openKit(toolchain, target.sanitizers, machine, cache);
  const out = machine.newFolder("coverage");
  const objects = await build(context, kit, tree, target, out);
  const { limits } = target;
  await machine.run({
    argv: ["/o/program", ...target.args],
    binds: [...systemBinds().binds, { from: out, to: "/o", writable: true }],
    cwd: "/tmp",
    proc: true,
    seccomp: outerFilter(),
    env: target.seed === false ? {} : { HIDDEN_ORACLE_SEED: "1" },
    tmpBytes: limits.diskMiB * 1024 * 1024,
    keepBytes: 4096,
    maxBytes: limits.outputKiB * 1024,
    wallMs: limits.wallSeconds * 1000,
    kernelLimits: { cpuSeconds: Math.ceil(limits.cpuSeconds), fileBytes: 64 * 1024 * 1024 },
    ...(target.stdin === undefined ? {} : { stdin: Buffer.from(target.stdin, "latin1") }),
  });
  const tool = coverageTool(toolchain.compiler, machine.path);
  const read = await machine.run({
    argv: readCoverage(tool, objects),
    binds: [...systemBinds().binds, { from: tree.folder, to: "/w" }, { from: out, to: "/o", writable: true }],
    cwd: "/o",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    tmpBytes: 64 * 1024 * 1024,
    keepBytes: 64 * 1024 * 1024,
    wallMs: 60_000,
  });
  for (const line of read.stdout.text.split("\n"))
    if (line.startsWith("{")) addReport(line, task.headers, counts);
}

async function build(context: GradeContext, kit: Kit, tree: LaidTree, target: Target, out: string) {
  const { machine, task, toolchain } = context;
  const flags = { compiler: toolchain.compiler, cxxflags: target.cxxflags, includeDirs: task.includeDirs };
  const units = [...tree.files.keys()].filter((path) => isUnit(path) && !task.headers.has(path));
  const steps = [
    ...target.sources.map(({ unit }, i) => ({
      step: compileCoverageTest(flags, `t${i}.o`),
      text: Buffer.from(unit, "latin1"),
    })),
    ...units.map((unit, i) => ({ step: compileCoverageUnit(flags, unit, `c${i}.o`), text: undefined })),
  ];
  const objects = [...target.sources.map((_, i) => `t${i}.o`), ...units.map((_, i) => `c${i}.o`)];
  steps.push({ step: linkCoverage(flags, objects, task.manifest.ldflags), text: undefined });
  for (const { step, text } of steps) {
    const built = await runBuildStep(machine, kit, step, { tree: tree.folder, out }, target.limits, text);
    if (!built.built)
      throw new GraderError(75, `the build for coverage failed · ${built.detail}`, {
        hint: "leave --coverage out: the verdict does not depend on it",
      });
  }
  return objects;
}

/** `gcov-12` beside `g++-12`. */
function coverageTool(compiler: string, path: string): string {
  const name = basename(compiler).replace(/^.*?(?:g\+\+|c\+\+|gcc)/, "gcov");
  const found = findProgram(name, `${dirname(compiler)}:${path}`) ?? findProgram("gcov", path);
  if (found !== undefined && /gcov/.test(name)) return found;
  throw new GraderError(69, `no coverage tool for this compiler · ${name}`, {
    hint: "install gcov (it comes with g++), or leave --coverage out",
  });
}

/** Sums up; a line that any unit executed is executed. */
function addReport(text: string, headers: FileTree, counts: Counts): void {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return;
    throw error;
  }
  const report = gcovSchema.safeParse(json);
  if (!report.success) return;
  for (const { file, lines } of report.data.files) {
    const path = join("/w", file).startsWith("/w/") ? file.replace(/^\/w\//, "") : file;
    if (headers.has(path)) continue;
    const known = counts.get(path) ?? new Map<number, number>();
    for (const { line_number, count } of lines) known.set(line_number, (known.get(line_number) ?? 0) + count);
    counts.set(path, known);
  }
}
