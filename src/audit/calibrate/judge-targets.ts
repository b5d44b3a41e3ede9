/** What is wrong with single targets: checks that can't fail, limits that a busy machine would hit. */
import { isLeakFree, type Measured } from "../../grade/measure.ts";
import type { Target, Task } from "../../model/task.ts";
import type { CalibrationFinding } from "./calibration.ts";

/** A limit this many times the reference's own need is far enough from it. */
const headroom = 5;

/**
 * @param right What the reference came to, under all layers; null without one.
 * @param silent Targets without an assertion that nothing recorded has failed a check of.
 */
export function judgeTargets(
  task: Task,
  right: Measured | null,
  silent: ReadonlySet<Target>,
): CalibrationFinding[] {
  const targets = Object.values(task.layers).flat();
  return targets.flatMap((target) => [
    ...assertionsOff(task, target),
    ...(silent.has(target) ? [noChecks(target)] : []),
    ...tightLimit(target, right),
  ]);
}

/** The reserve layer, which no ordinary grade consults. */
export function judgeReserve(task: Task, right: Measured | null): CalibrationFinding[] {
  const outcome = right?.outcomes.reserve;
  if (outcome?.status !== "fail") return [];
  return [
    {
      kind: "reserve-fails",
      about: task.reference?.path ?? "reference",
      message: `fails the reserve layer: ${outcome.cause} · ${outcome.detail}`,
      hint: "repair the reserve layer, or the reference",
    },
  ];
}

/** Whether correct sources complete every layer without a leak. */
export function isTaskLeakFree(measured: readonly Measured[]): boolean {
  return measured.every(isLeakFree);
}

function assertionsOff({ notes }: Task, target: Target): CalibrationFinding[] {
  const hint = "take it out, or nobody who builds this test by hand has its checks";
  const about = target.name;
  const undone = target.sources.flatMap(({ path, unit }) => {
    const line = /^[ \t]*#[ \t]*(?:define[ \t]+(?:NDEBUG|assert)\b|undef[ \t]+assert\b)/m.exec(unit)?.[0];
    const message = `${path} switches assertions off: ${line?.trim()}`;
    return line === undefined ? [] : [{ kind: "assertions-off" as const, about, message, hint }];
  });
  const dropped = notes.filter((note) => /NDEBUG.* is dropped/.test(note));
  return target.layer === "reserve" || dropped[0] === undefined
    ? undone
    : [...undone, { kind: "assertions-off", about, message: dropped[0], hint }];
}

function noChecks({ name }: Target): CalibrationFinding {
  return {
    kind: "no-checks",
    about: name,
    message: "evaluates no assertion, and no recorded patch has failed a check of it",
    hint: "check results with assert, or let main return another status than 0",
  };
}

function tightLimit({ name, limits }: Target, right: Measured | null): CalibrationFinding[] {
  const cpuMs = right?.cpuMs[name];
  const seconds = Math.min(limits.cpuSeconds, limits.wallSeconds);
  if (cpuMs === undefined || cpuMs * headroom <= seconds * 1000) return [];
  return [
    {
      kind: "tight-limit",
      about: name,
      message: `the reference needs ${(cpuMs / 1000).toFixed(1)} s of the ${seconds} s that it may use`,
      hint: `allow at least ${headroom} times as much, or make the test do less: slower machines would call it a timeout`,
    },
  ];
}
