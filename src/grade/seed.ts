/** The seed of a run, for targets that draw their cases anew each time. */
import { randomInt } from "node:crypto";
import type { Task } from "../model/task.ts";

/** The seed asked for, else the manifest's fixed one, else a new one; undefined where no target wants a seed. */
export function seedFor(task: Task, asked: number | undefined): number | undefined {
  const wants = Object.values(task.layers).flatMap((targets) => targets.map((t) => t.seed));
  const fixed = wants.find((seed) => typeof seed === "number");
  if (!wants.some((seed) => seed !== false)) return undefined;
  return asked ?? (typeof fixed === "number" ? fixed : randomInt(2 ** 32));
}
