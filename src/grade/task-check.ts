/** Before a failure is put down to a patch: does the task hold for its own reference, and do its flags compile at all? */
import { GraderError } from "../model/errors.ts";
import { runBuildStep } from "./build-step.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import { openKit } from "./kit.ts";
import { judgeLeniently } from "./lenient-run.ts";
import { recordedTree } from "./recorded.ts";
import type { LayerOutcomes } from "./request.ts";

/** What is wrong with a task, or null. */
type Kept = { readonly fault: string | null };

/**
 * Asked when a layer has failed; measured once for a task. With a reference, that must pass both layers;
 * without one, the flags must at least compile an empty unit where the candidate did not compile.
 *
 * @throws GraderError 65 that says what fails.
 */
export async function assertTaskHolds(context: GradeContext, outcomes: LayerOutcomes): Promise<void> {
  const failed = [...outcomes.values()].filter((outcome) => outcome.status === "fail");
  if (failed.length === 0) return;
  const { task, toolchain, cache } = context;
  const didCompile = failed.every((outcome) => outcome.cause !== "compile-error");
  if (!task.reference && didCompile) return;
  const key = digestOf("holds", task.digest, toolchain.digest, task.reference?.bytes ?? "");
  const known = cache.readJson("record", key) as Kept | undefined;
  const fault = known ? known.fault : await findFault(context);
  if (!known) cache.writeJson("record", key, { fault } satisfies Kept);
  if (fault === null) return;
  throw new GraderError(65, `the task fails by itself · ${fault}`, {
    hint: task.reference
      ? `repair the oracle, or what the manifest says of sources and flags, until ${task.reference.path} passes`
      : "repair the manifest's cxxflags",
  });
}

async function findFault(context: GradeContext): Promise<string | null> {
  return context.task.reference ? referenceFault(context) : flagsFault(context);
}

async function referenceFault(context: GradeContext): Promise<string | null> {
  const { task } = context;
  if (!task.reference) return null;
  for (const [name, outcome] of await judgeLeniently(context, recordedTree(task, task.reference)))
    if (outcome.status === "fail")
      return `the reference ${task.reference.path} fails ${name}: ${outcome.cause} · ${outcome.detail}`;
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
