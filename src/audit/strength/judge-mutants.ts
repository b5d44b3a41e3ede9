/** Fates of all mutants: known ones from earlier runs, many by builds together, the rest one by one. */
import pLimit from "p-limit";
import type { GradeContext } from "../../grade/context.ts";
import { judgeLayer } from "../../grade/layer.ts";
import { layTree, prepareLayers } from "../../grade/prepare.ts";
import type { ReadyTarget } from "../../grade/run-test.ts";
import { GraderError } from "../../model/errors.ts";
import { type FileTree, isUnit } from "../../model/task.ts";
import { findBodies } from "../mutate/bodies.ts";
import type { Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";
import { judgeAlone } from "./judge-alone.ts";
import { fixedSeed, judgeBuild, policyOf, usualTimes } from "./judge-build.ts";
import { judgeCopies } from "./judge-copies.ts";
import type { MutantStore } from "./mutant-store.ts";
import { isIsolated, planBuilds } from "./plan-builds.ts";
import type { Variant } from "./variants.ts";

export interface JudgeOptions {
  readonly store: MutantStore<Fate>;
  /** Called with how many more are judged. */
  readonly onJudged: (count: number) => void;
}

/**
 * Judges every mutant of the reference's sources. What is judged is kept at once, so that an interruption loses
 * no more than the builds that were under way.
 *
 * @throws GraderError 65 when the reference itself doesn't pass, 69 and 75 as a grade does.
 */
export async function judgeMutants(
  context: GradeContext,
  files: FileTree,
  mutants: readonly Mutant[],
  options: JudgeOptions,
): Promise<Map<Mutant, Fate>> {
  const fates = new Map<Mutant, Fate>();
  for (const mutant of mutants) {
    const known = options.store.get(mutant);
    if (known !== undefined) fates.set(mutant, known);
  }
  options.onJudged(fates.size);
  const open = mutants.filter((mutant) => !fates.has(mutant));
  if (open.length === 0) return fates;
  const keep = (mutant: Mutant, fate: Fate) => {
    fates.set(mutant, fate);
    options.store.set(mutant, fate);
    options.onJudged(1);
  };
  try {
    await judgeOpen({ context, files, keep }, open);
  } finally {
    options.store.flush();
  }
  return fates;
}

interface Session {
  readonly context: GradeContext;
  readonly files: FileTree;
  readonly keep: (mutant: Mutant, fate: Fate) => void;
}

async function judgeOpen(session: Session, open: readonly Mutant[]): Promise<void> {
  const { context, files } = session;
  const usual = await referenceTimes(context, files);
  const plan = planBuilds(context.task, files, await findBodies(files), open);
  // More at a time would only hold more folders: sandboxes wait for a slot of the machine's.
  const limit = pLimit(context.machine.jobs + 1);
  const left = await Promise.all([
    ...plan.together.map((variants) => limit(() => judgeTogether(session, variants))),
    ...plan.copies.map((mutants) => limit(() => judgeAsCopies(session, mutants))),
  ]);
  await Promise.all(
    [...plan.alone, ...left.flat()].map((mutant) =>
      limit(() =>
        scoped(context, async (own) => {
          const apart = changesHeaders([mutant]) ? forgetful(own) : own;
          session.keep(mutant, await judgeAlone(apart, files, mutant, usual));
        }),
      ),
    ),
  );
}

/** One build, and those that it leaves: what it could not take, and survivors whom an isolated target has yet to meet. */
async function judgeTogether(session: Session, variants: readonly Variant[]): Promise<Mutant[]> {
  const { context, files } = session;
  const { layers } = context.task;
  const hidden = layers.hidden.filter((target) => !isIsolated(target));
  const task = { ...context.task, layers: { ...layers, hidden } };
  const isPartial = hidden.length < layers.hidden.length;
  return scoped(context, async (own) => {
    const apart = changesHeaders(variants.map(({ mutant }) => mutant)) ? forgetful(own) : own;
    const verdict = await judgeBuild({ ...apart, task }, files, variants);
    const open = [...verdict.left];
    for (const [mutant, fate] of verdict.fates) {
      if (isPartial && fate.status === "survived") open.push(mutant);
      else session.keep(mutant, fate);
    }
    return open;
  });
}

async function judgeAsCopies(
  { context, files, keep }: Session,
  mutants: readonly Mutant[],
): Promise<readonly Mutant[]> {
  return scoped(context, async (own) => {
    const { fates, left } = await judgeCopies(forgetful(own), files, mutants);
    for (const [mutant, fate] of fates) keep(mutant, fate);
    return left;
  });
}

function changesHeaders(mutants: readonly Mutant[]): boolean {
  return mutants.some(({ file }) => !isUnit(file));
}

/** Tests that were compiled with changed headers fit no other sources: they go with the work folder. A cache in
 * memory goes soon as well. */
function forgetful(context: GradeContext): GradeContext {
  if (context.cache.isPrivate) return context;
  return { ...context, cache: context.cache.withTestsIn(context.machine.newFolder("tests")) };
}

/** Does one piece of work in a folder of its own, which goes away with it. */
export async function scoped<T>(context: GradeContext, work: (own: GradeContext) => Promise<T>): Promise<T> {
  context.machine.throwIfInterrupted();
  const machine = context.machine.scope("mutants");
  try {
    return await work({ ...context, machine });
  } finally {
    await machine[Symbol.asyncDispose]();
  }
}

/** What the reference takes by itself, by target. @throws GraderError 65 when it doesn't pass. */
async function referenceTimes(context: GradeContext, files: FileTree): Promise<Map<string, number>> {
  return scoped(context, async (own) => {
    const { layers } = await prepareLayers(own, ["visible", "hidden"], layTree(own, files), fixedSeed(own));
    const times = new Map<string, number>();
    for (const [name, layer] of layers) {
      const known = layer.status === "ready" ? await passingTimes(own, layer.targets) : null;
      if (!known)
        throw new GraderError(65, `the reference fails ${name} · ${context.task.reference?.path}`, {
          hint: "run `hidden-oracle grade` on it: strength measures an oracle by mutants of a reference that passes",
        });
      for (const [target, ms] of known) times.set(target, ms);
    }
    return times;
  });
}

async function passingTimes(
  context: GradeContext,
  targets: readonly ReadyTarget[],
): Promise<Map<string, number> | null> {
  const policy = policyOf(context);
  const isApart = ({ server }: ReadyTarget) => server !== undefined;
  const outcome = await judgeLayer(context.machine, targets.filter(isApart), policy);
  if (outcome.status !== "pass") return null;
  return usualTimes(
    { context, policy, usual: new Map() },
    targets.filter((target) => !isApart(target)),
  );
}
