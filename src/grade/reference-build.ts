/** The slow way, for cross-checks: one plain executable per target, with the manifest's flags and nothing of ours. */
import { type CandidateFlags, referenceBuild } from "../model/build-plan.ts";
import type { LayerName } from "../model/manifest.ts";
import type { LayerOutcome } from "../model/outcome.ts";
import { isUnit, type Target } from "../model/task.ts";
import { systemBinds } from "../sandbox/sandbox.ts";
import { runBuildStep, sandboxFault } from "./build-step.ts";
import type { LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { readReport } from "./findings.ts";
import { describe } from "./judge.ts";
import { openKit } from "./kit.ts";
import type { LayerOutcomes } from "./request.ts";

/** Judges layers by the exit status of plain executables. Nothing proves completion here. */
export async function judgeReference(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: LaidTree,
  seed: number | undefined,
): Promise<LayerOutcomes> {
  const judged = layers.map(async (layer): Promise<[LayerName, LayerOutcome]> => {
    const started = performance.now();
    const outcomes = await Promise.all(
      context.task.layers[layer].map((target) => judgeTarget(context, target, tree, seed)),
    );
    const failed = outcomes.find((o) => o.failed);
    const measured = { durationMs: Math.round(performance.now() - started), cpuMs: 0 };
    if (!failed?.failed) return [layer, { status: "pass", ...measured }];
    return [layer, { status: "fail", cause: failed.cause, detail: failed.detail, ...measured }];
  });
  return new Map(await Promise.all(judged));
}

type PlainOutcome =
  | { failed: false }
  | { failed: true; cause: Extract<LayerOutcome, { status: "fail" }>["cause"]; detail: string };

async function judgeTarget(
  context: GradeContext,
  target: Target,
  tree: LaidTree,
  seed: number | undefined,
): Promise<PlainOutcome> {
  const { machine, task, toolchain } = context;
  const kit = await openKit(toolchain, target.sanitizers, machine, context.cache);
  const units = [...tree.files.keys()].filter((path) => isUnit(path) && !task.headers.has(path));
  const flags: CandidateFlags = {
    compiler: toolchain.compiler,
    cxxflags: target.cxxflags,
    includeDirs: task.includeDirs,
  };
  const out = machine.newFolder("plain");
  const text = target.sources.map(({ unit }) => unit).join("\n");
  const step = referenceBuild(flags, units, task.manifest.ldflags);
  const built = await runBuildStep(
    machine,
    kit,
    step,
    { tree: tree.folder, out },
    target.limits,
    Buffer.from(text, "latin1"),
  );
  if (!built.built) return { failed: true, cause: built.cause, detail: built.detail };
  const result = await machine.run({
    argv: ["/o/program", ...target.args],
    binds: [...systemBinds().binds, { from: out, to: "/o" }],
    cwd: "/tmp",
    proc: true,
    env: seed === undefined ? {} : { HIDDEN_ORACLE_SEED: String(seed) },
    tmpBytes: target.limits.diskMiB * 1024 * 1024,
    keepBytes: 64 * 1024,
    maxBytes: target.limits.outputKiB * 1024,
    wallMs: target.limits.wallSeconds * 1000,
    kernelLimits: {
      cpuSeconds: Math.ceil(target.limits.cpuSeconds),
      fileBytes: target.limits.diskMiB * 1024 * 1024,
    },
    ...(target.stdin === undefined ? {} : { stdin: Buffer.from(target.stdin, "latin1") }),
  });
  if (result.ended !== "itself")
    return {
      failed: true,
      cause: result.ended === "output" ? "output-limit" : "timeout",
      detail: `ended by ${result.ended}`,
    };
  if (result.innerCode === null) throw sandboxFault(result.stderr.text);
  if (result.innerCode === 0) return { failed: false };
  const said = readReport(result.stderr.text);
  return {
    failed: true,
    cause: said?.cause ?? "nonzero-exit",
    detail: said ? describe(said.finding) : `ended with status ${result.innerCode}`,
  };
}
