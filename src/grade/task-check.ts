/** Before a failure is put down to a patch: does the task hold for its own reference, and do its flags compile at all? */
import { GraderError } from "../model/errors.ts";
import type { RecordedPatch } from "../model/task.ts";
import { runBuildStep } from "./build-step.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { openKit } from "./kit.ts";
import { measureSources } from "./measure.ts";
import { recordedTree } from "./recorded.ts";
import type { LayerOutcomes } from "./request.ts";

/**
 * Asked when a layer has failed; measured once for a task. With a reference, that must pass both layers;
 * without one, the flags must at least compile an empty unit where the candidate did not compile.
 *
 * @throws GraderError 65 that says what fails.
 */
export async function assertTaskHolds(context: GradeContext, outcomes: LayerOutcomes): Promise<void> {
  const failed = [...outcomes.values()].filter((outcome) => outcome.status === "fail");
  if (failed.length === 0) return;
  // Asked even of a calibrated task: the reference may fail on this machine alone.
  const { task } = context;
  const didCompile = failed.every((outcome) => outcome.cause !== "compile-error");
  if (!task.reference && didCompile) return;
  const fault = await findFault(context);
  if (fault === null) return;
  throw new GraderError(65, `the task fails by itself · ${fault}`, {
    hint: task.reference
      ? `repair the oracle, or what the manifest says of sources and flags, until ${task.reference.path} passes`
      : "repair the manifest's cxxflags",
  });
}

async function findFault(context: GradeContext): Promise<string | null> {
  return context.task.reference
    ? referenceFault(context, context.task.reference)
    : context.cache.json("record", digestOf("flags", context.task.digest, context.toolchain.digest), () =>
        flagsFault(context),
      );
}

async function referenceFault(context: GradeContext, reference: RecordedPatch): Promise<string | null> {
  const { outcomes } = await measureSources(context, recordedTree(context.task, reference));
  for (const [name, outcome] of Object.entries(outcomes))
    if (outcome.status === "fail")
      return `the reference ${reference.path} fails ${name}: ${outcome.cause} · ${outcome.detail}`;
  return null;
}

async function flagsFault(context: GradeContext): Promise<string | null> {
  const { task, toolchain, machine, cache } = context;
  for (const target of [...task.layers.visible, ...task.layers.hidden]) {
    const kit = await openKit(toolchain, target.sanitizers, machine, cache);
    const argv = [
      toolchain.compiler,
      ...target.cxxflags,
      "-x",
      "c++",
      "-c",
      "-",
      "-o",
      "/o/empty.o",
    ] as const;
    const out = machine.newFolder("flags");
    const step = { what: "compile an empty unit", argv };
    const built = await runBuildStep(machine, kit, step, { out }, target.limits, new Uint8Array());
    if (!built.built) return `${target.name}: an empty unit does not compile · ${built.detail}`;
  }
  return null;
}
