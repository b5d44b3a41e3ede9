/** One patch → one GradeRecord: the whole pipeline on one screen. */
import type { LayerName } from "../model/manifest.ts";
import type { LayerOutcome } from "../model/outcome.ts";
import type { GradeRecord } from "../model/record.ts";
import type { FileTree } from "../model/task.ts";
import { tokenOf } from "../model/verdict.ts";
import type { LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { inspectBuilt, inspectSources, inspectTree } from "./hygiene/hygiene.ts";
import { judgeLayer } from "./layer.ts";
import type { LayerPolicy } from "./layer-policy.ts";
import { leaksFail } from "./leak-policy.ts";
import { layTree, prepareLayers } from "./prepare.ts";
import { oddProof } from "./proof-policy.ts";
import { recallRecord, rememberRecord } from "./recall.ts";
import {
  type AppliedSources,
  beginRecord,
  judgedRecord,
  type RecordDraft,
  rejectedRecord,
} from "./record-draft.ts";
import { applyToTask } from "./recorded.ts";
import { judgeReference } from "./reference-build.ts";
import type { Candidate, GradeOptions, Judged } from "./request.ts";
import { seedFor } from "./seed.ts";
import { isBuildRefused, isTextRefused, treesForTests } from "./shown-alone.ts";
import { assertSupported } from "./supported.ts";
import { assertTaskHolds } from "./task-check.ts";

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
  if (known && !options.coverage) return known;
  const machine = context.machine.scope("grade");
  try {
    const own = { ...context, machine };
    const record = known ?? (await judge(own, draft, applied, options));
    if (!options.coverage || record.verdict !== "PASS") return record;
    const { reviewSources } = await import("./review/review.ts");
    return { ...record, review: await reviewSources(own, applied.tree, record.layers) };
  } finally {
    await machine[Symbol.asyncDispose]();
  }
}

async function judge(
  context: GradeContext,
  draft: RecordDraft,
  applied: Extract<AppliedSources, { status: "applied" }>,
  options: GradeOptions,
): Promise<GradeRecord> {
  const judged = await judgeSources(context, applied.tree, options, draft.seed);
  const record = judgedRecord(context, draft, applied, judged);
  // Whether a failure is the task's own was not asked: another grade must ask.
  if (!context.calibrating || record.verdict === "PASS") rememberRecord(context, draft, applied, record);
  return record;
}

/** The visible and the hidden layer, then the reserve one if it is asked for and the others pass. */
async function judgeSources(
  context: GradeContext,
  sources: FileTree,
  options: GradeOptions,
  seed: number | undefined,
): Promise<Judged> {
  const tree = layTree(context, sources);
  const judgeAll = options.referenceBuild ? judgeReference : judgeLayers;
  const suspicious = options.referenceBuild ? [] : inspectSources(context.task, sources);
  if (suspicious.length > 0 && isTextRefused(context, sources))
    return { status: "tampering", findings: suspicious };
  const judged = await judgeAll(context, ["visible", "hidden"], tree, seed);
  if (suspicious.length > 0)
    return { status: "tampering", findings: suspicious, shown: shownOutcome(judged) };
  if (!options.final || context.task.layers.reserve.length === 0 || !isPass(judged)) return judged;
  const last = await judgeAll(context, ["reserve"], tree, seed);
  if (last.status === "tampering") return { ...last, shown: shownOutcome(judged) };
  return { status: "judged", outcomes: new Map([...judged.outcomes, ...last.outcomes]) };
}

function applyCandidate(context: GradeContext, candidate: Candidate): AppliedSources {
  if (candidate.kind === "patch") return applyToTask(context.task, candidate.bytes);
  return { status: "applied", tree: candidate.files, files: [], notes: [], dropped: [] };
}

/**
 * Builds everything and looks at it first: no layer runs before both are built, so no run can reach what
 * another is made from. What is refused runs only where the refusal itself would tell of the hidden tests.
 */
async function judgeLayers(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: LaidTree,
  seed: number | undefined,
): Promise<Judged> {
  context.onStep?.("building");
  const tests = treesForTests(context, layers, tree);
  const [prepared, found] = await Promise.all([
    prepareLayers(context, layers, tree, seed, (layer) => (layer === "visible" ? tests.shown : tests.all)),
    inspectTree(context, tests.all),
  ]);
  const { candidates, shown } = prepared;
  const findings =
    candidates.length > 0 ? await inspectBuilt(context, tree, tests.all, candidates, found) : [];
  const isRefused = findings.length > 0;
  if (isRefused && (!layers.includes("visible") || (await isBuildRefused(context, tree, tests.shown, shown))))
    return { status: "tampering", findings };
  context.onStep?.("running");
  const policy: LayerPolicy = {
    leaksFail: () => leaksFail(context),
    oddProof: (target, runs) => oddProof(context, target, runs),
  };
  const judged = [...prepared.layers].map(async ([name, layer]): Promise<[LayerName, LayerOutcome]> => {
    if (layer.status === "decided") return [name, layer.outcome];
    return [name, await judgeLayer(context.machine, layer.targets, policy)];
  });
  const outcomes = new Map(await Promise.all(judged));
  if (!context.calibrating) await assertTaskHolds(context, outcomes);
  // Run like any other, and as long: only the maintainer is to know the difference.
  if (isRefused) return { status: "tampering", findings, shown: outcomes.get("visible") };
  return { status: "judged", outcomes };
}

function shownOutcome(judged: Judged): LayerOutcome | undefined {
  return judged.status === "tampering" ? judged.shown : judged.outcomes.get("visible");
}

function isPass(judged: Judged): judged is Extract<Judged, { status: "judged" }> {
  if (judged.status === "tampering") return false;
  const [visible, hidden] = [judged.outcomes.get("visible"), judged.outcomes.get("hidden")];
  return visible !== undefined && hidden !== undefined && tokenOf(visible, hidden) === "PASS";
}
