/** The slow way, for cross-checks: one plain executable per target, with the manifest's flags and nothing of ours. */
import { join } from "node:path";
import { type CandidateFlags, compilePlainTest, linkPlain } from "../model/build-plan.ts";
import type { LayerName } from "../model/manifest.ts";
import type { FailCause, LayerOutcome } from "../model/outcome.ts";
import { isUnit, type Target } from "../model/task.ts";
import { type SandboxResult, systemBinds } from "../sandbox/sandbox.ts";
import { outerFilter } from "../sandbox/seccomp.ts";
import { type Built, runBuildStep, sandboxFault } from "./build-step.ts";
import type { LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { readReport } from "./findings.ts";
import { describe } from "./judge.ts";
import { openKit } from "./kit.ts";
import { leaksFail } from "./leak-policy.ts";
import type { Judged } from "./request.ts";

type PlainFailure = { readonly cause: FailCause; readonly detail: string };

/** Judges layers by the exit status of plain executables. Nothing proves completion here. */
export async function judgeReference(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: LaidTree,
  seed: number | undefined,
): Promise<Judged> {
  const judged = layers.map(async (layer): Promise<[LayerName, LayerOutcome]> => {
    const started = performance.now();
    const targets = context.task.layers[layer];
    const failures = await Promise.all(targets.map((target) => judgeTarget(context, target, tree, seed)));
    const failed = failures.find((failure) => failure !== null);
    const measured = { durationMs: Math.round(performance.now() - started), cpuMs: 0 };
    return [layer, failed ? { status: "fail", ...failed, ...measured } : { status: "pass", ...measured }];
  });
  return { status: "judged", outcomes: new Map(await Promise.all(judged)) };
}

async function judgeTarget(
  context: GradeContext,
  target: Target,
  tree: LaidTree,
  seed: number | undefined,
): Promise<PlainFailure | null> {
  const built = await buildProgram(context, target, tree);
  if (!built.built) return built;
  for (let run = 0; run < target.repeat; run++) {
    const failure = judgePlain(await runProgram(context, target, built.value, seed));
    if (failure) return failure;
  }
  return null;
}

/** The host folder of the executable. */
async function buildProgram(context: GradeContext, target: Target, tree: LaidTree): Promise<Built<string>> {
  const { machine, task, toolchain } = context;
  const kit = await openKit(toolchain, target.sanitizers, machine, context.cache);
  const flags: CandidateFlags = {
    compiler: toolchain.compiler,
    cxxflags: target.cxxflags,
    includeDirs: task.includeDirs,
  };
  const inputs: { from: string; to: string }[] = [];
  for (const [i, source] of target.sources.entries()) {
    const out = machine.newFolder("plain-test");
    const step = compilePlainTest(flags, `${i}.o`);
    const text = Buffer.from(source.unit, "latin1");
    const built = await runBuildStep(machine, kit, step, { tree: tree.folder, out }, target.limits, text);
    if (!built.built) return built;
    inputs.push({ from: join(out, `${i}.o`), to: `/i/${i}.o` });
  }
  const units = [...tree.files.keys()].filter((path) => isUnit(path) && !task.headers.has(path));
  const out = machine.newFolder("plain");
  const step = linkPlain(
    flags,
    inputs.map((_, i) => `${i}.o`),
    units,
    task.manifest.ldflags,
  );
  const built = await runBuildStep(
    machine,
    kit,
    step,
    { tree: tree.folder, out, more: inputs },
    target.limits,
  );
  return built.built ? { built: true, value: out } : built;
}

async function runProgram(context: GradeContext, target: Target, folder: string, seed: number | undefined) {
  const { limits } = target;
  const diskBytes = limits.diskMiB * 1024 * 1024;
  // A plain run has no say on leaks but its exit status.
  const leaks = (await leaksFail(context)) ? "1" : "0";
  return context.machine.run({
    argv: ["/o/program", ...target.args],
    binds: [...systemBinds().binds, { from: folder, to: "/o" }],
    cwd: "/tmp",
    proc: true,
    seccomp: outerFilter(),
    env: {
      ASAN_OPTIONS: `detect_leaks=${leaks}`,
      ...(seed === undefined ? {} : { HIDDEN_ORACLE_SEED: String(seed) }),
    },
    tmpBytes: diskBytes,
    keepBytes: 64 * 1024,
    maxBytes: limits.outputKiB * 1024,
    wallMs: limits.wallSeconds * 1000,
    kernelLimits: { cpuSeconds: Math.ceil(limits.cpuSeconds), fileBytes: diskBytes },
    ...(target.stdin === undefined ? {} : { stdin: Buffer.from(target.stdin, "latin1") }),
  });
}

function judgePlain(result: SandboxResult): PlainFailure | null {
  if (result.ended === "output") return { cause: "output-limit", detail: "printed without end" };
  if (result.ended !== "itself") return { cause: "timeout", detail: `ended by ${result.ended}` };
  if (result.innerCode === null) throw sandboxFault(result.stderr.text);
  if (result.innerCode === 0) return null;
  const said = readReport(result.stderr.text);
  if (said) return { cause: said.cause, detail: describe(said.finding) };
  return { cause: "nonzero-exit", detail: `ended with status ${result.innerCode}` };
}
