/** Runs numbers of one build through a layer: which pass, and what ends the others. */

import type { GradeContext } from "../../grade/context.ts";
import type { LayerPolicy } from "../../grade/layer-policy.ts";
import { type ManyReports, runMany } from "../../grade/run-many.ts";
import type { ReadyTarget } from "../../grade/run-test.ts";
import { GraderError } from "../../model/errors.ts";
import { type Answer, answerOf } from "./answer.ts";
import { chunksOf } from "./plan-builds.ts";

/** What a layer says to a variant. `seeds`: how many of the seeds would have failed one that passes. */
export type LayerAnswer = Answer & { readonly seeds?: string };

/** What judging variants needs. */
export interface Court {
  readonly context: GradeContext;
  readonly policy: LayerPolicy;
  /** CPU milliseconds that a target's run of the reference takes in this build, by its name. */
  readonly usual: ReadonlyMap<string, number>;
}

/** Starting a sandbox costs as much as some runs of a short test; a chunk is also what an interruption loses. */
const perSandbox = 40;

/**
 * Seeds of targets that draw their cases anew. Fixed, so that the same oracle has the same strength every time.
 * Of a draw, only what all of them catch counts as caught: one candidate meets one seed.
 */
const seeds = [1, 2, 3] as const;

/** Judges numbers by all targets of a layer; whoever fails a target is not shown to the next. */
export async function judgeVariants(
  court: Court,
  targets: readonly ReadyTarget[],
  numbers: readonly number[],
): Promise<Map<number, LayerAnswer>> {
  const answers = new Map<number, LayerAnswer>();
  let left = numbers;
  for (const ready of targets) {
    const runs = ready.target.seed === true ? seeds.map((seed) => ({ ...ready, seed })) : [ready];
    const rounds: Map<number, Answer>[] = [];
    for (const run of runs) rounds.push(await judgeTarget(court, run, left));
    for (const number of left) {
      const said = rounds.flatMap((round) => round.get(number) ?? []);
      answers.set(number, together(said, answers.get(number)));
    }
    left = left.filter((number) => answers.get(number)?.status === "pass");
  }
  return answers;
}

/** A variant fails a target if it fails under every seed. */
function together(said: readonly Answer[], before: LayerAnswer | undefined): LayerAnswer {
  const failed = said.filter((answer) => answer.status === "fail");
  const [first] = failed;
  if (first !== undefined && failed.length === said.length) return first;
  const cpuMs = said.reduce((sum, answer) => sum + (answer.status === "pass" ? answer.cpuMs : 0), 0);
  const part = failed.length > 0 ? `${failed.length} of ${said.length}` : before?.seeds;
  return { status: "pass", cpuMs, ...(part === undefined ? {} : { seeds: part }) };
}

async function judgeTarget(
  court: Court,
  ready: ReadyTarget,
  numbers: readonly number[],
): Promise<Map<number, Answer>> {
  // What is read from standard input can be read once.
  const chunks = chunksOf(numbers, ready.target.stdin === undefined ? perSandbox : 1);
  const answers = await Promise.all(chunks.map((chunk) => judgeChunk(court, ready, chunk)));
  return new Map(answers.flatMap((chunk) => [...chunk]));
}

async function judgeChunk(
  court: Court,
  ready: ReadyTarget,
  numbers: readonly number[],
): Promise<Map<number, Answer>> {
  const cpuMs = cpuLimit(ready.target.limits.cpuSeconds * 1000, court.usual.get(ready.target.name));
  const reports = await runMany(court.context.machine, ready, { numbers, cpuMs });
  const answers = new Map<number, Answer>();
  for (const [number, report] of reports.runs)
    answers.set(number, await answerOf(report, ready, court.policy));
  const [odd, ...others] = numbers.filter((number) => !answers.has(number));
  if (odd === undefined) return answers;
  if (numbers.length === 1) return answers.set(odd, withoutEnd(reports));
  for (const part of [[odd], others])
    for (const [number, answer] of await judgeChunk(court, ready, part)) answers.set(number, answer);
  return answers;
}

/**
 * CPU milliseconds after which a run is taken for endless: ten times what the reference takes, never the wall
 * clock, and never more than the task allows.
 */
export function cpuLimit(allowed: number, usual: number | undefined): number {
  return usual === undefined ? allowed : Math.min(allowed, 10 * usual + 200);
}

/** Alone in its sandbox, and yet the sandbox didn't live to tell of its end. */
function withoutEnd(reports: ManyReports): Answer {
  if (reports.ended === "output") return { status: "fail", cause: "output-limit" };
  if (reports.ended === "wall")
    throw new GraderError(75, "the machine gave a run no CPU time", {
      hint: "try again on a less busy machine",
    });
  return { status: "fail", cause: "early-exit" };
}
