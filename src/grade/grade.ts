/** One patch → one GradeRecord: the whole pipeline on one screen. */
import type { LayerName } from "../model/manifest.ts";
import type { LayerOutcome } from "../model/outcome.ts";
import type { GradeRecord } from "../model/record.ts";
import type { FileTree } from "../model/task.ts";
import { tokenOf } from "../model/verdict.ts";
import type { GradeContext } from "./context.ts";
import { judgeLayer } from "./layer.ts";
import type { LayerPolicy } from "./layer-policy.ts";
import { leaksFail } from "./leak-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";
import { expectedProof } from "./proof-policy.ts";
import { recallRecord, rememberRecord } from "./recall.ts";
import { type AppliedSources, beginRecord, judgedRecord, rejectedRecord } from "./record-draft.ts";
import { applyToTask } from "./recorded.ts";
import { judgeReference } from "./reference-build.ts";
import type { Candidate, GradeOptions, LayerOutcomes } from "./request.ts";
import { seedFor } from "./seed.ts";
import { assertSupported } from "./supported.ts";

/**
 * Grades one candidate. Its failures are in the record; only faults of task, operator or machine throw.
 *
 * @throws GraderError
 */
export async function grade(
  context: GradeContext,
  candidate: Candidate,
  options: GradeOptions = {},
): Promise<GradeRecord> {
  assertSupported(context.task);
  const draft = beginRecord(context, candidate, options, seedFor(context.task, options.seed));
  const applied = applyCandidate(context, candidate);
  if (applied.status === "rejected") return rejectedRecord(draft, applied);
  const known = recallRecord(context, draft, applied);
  if (known) return known;
  const machine = context.machine.scope("grade");
  try {
    const outcomes = await judgeSources({ ...context, machine }, applied.tree, options, draft.seed);
    const record = judgedRecord(draft, applied, outcomes);
    rememberRecord(context, draft, applied, record);
    return record;
  } finally {
    await machine[Symbol.asyncDispose]();
  }
}

/** The visible and the hidden layer, then the reserve one if it is asked for and the others pass. */
async function judgeSources(
  context: GradeContext,
  sources: FileTree,
  options: GradeOptions,
  seed: number | undefined,
): Promise<LayerOutcomes> {
  const judge = options.referenceBuild ? judgeReference : judgeLayers;
  const tree = layTree(context, sources);
  const outcomes = await judge(context, ["visible", "hidden"], tree, seed);
  if (!options.final || context.task.layers.reserve.length === 0 || !isPass(outcomes)) return outcomes;
  return new Map([...outcomes, ...(await judge(context, ["reserve"], tree, seed))]);
}

function applyCandidate(context: GradeContext, candidate: Candidate): AppliedSources {
  if (candidate.kind === "patch") return applyToTask(context.task, candidate.bytes);
  return { status: "applied", tree: candidate.files, files: [], notes: [], dropped: [] };
}

/** Builds everything first: no layer runs before both are built, so no run can reach what another is made from. */
async function judgeLayers(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: ReturnType<typeof layTree>,
  seed: number | undefined,
): Promise<LayerOutcomes> {
  context.onStep?.("building");
  const prepared = await prepareLayers(context, layers, tree, seed);
  context.onStep?.("running");
  const policy: LayerPolicy = {
    leaksFail: () => leaksFail(context),
    expectedProof: (target) => expectedProof(context, target),
  };
  const judged = [...prepared].map(async ([name, layer]): Promise<[LayerName, LayerOutcome]> => {
    if (layer.status === "decided") return [name, layer.outcome];
    return [name, await judgeLayer(context.machine, layer.targets, policy)];
  });
  return new Map(await Promise.all(judged));
}

function isPass(outcomes: LayerOutcomes): boolean {
  const [visible, hidden] = [outcomes.get("visible"), outcomes.get("hidden")];
  return visible !== undefined && hidden !== undefined && tokenOf(visible, hidden) === "PASS";
}
