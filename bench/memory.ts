/** Whether the grader's own process grows while it grades a thousand patches. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "./row.ts";
import type { Stage } from "./stage.ts";

const lookEveryMs = 250;

/** Resident memory of the grader's process, in MiB. */
export interface MemoryResult {
  readonly secondQuarter: number;
  readonly lastQuarter: number;
  readonly peak: number;
  readonly flat: boolean;
}

/** A last quarter that is this much above the second is growth, not noise. */
const tolerance = 1.15;

/** Grades `count` distinct patches in one batch and watches its process from outside. */
export async function measureMemory(stage: Stage, count: number): Promise<MemoryResult> {
  const patches = stage.patchFolder(Array.from({ length: count }, (_, n) => stage.variants.source(n)));
  const out = join(stage.patchFolder([]), "records.jsonl");
  const seen: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const watch = (pid: number) => {
    timer = setInterval(() => seen.push(...residentMiB(pid)), lookEveryMs);
  };
  const args = ["batch", patches, "--task", stage.task, "--jobs", "2", "--out", out];
  const spent = await stage.ours(args, stage.freshCache(), watch);
  clearInterval(timer);
  if (spent.code !== 0) throw new Error(`the batch ended with ${spent.code}\n${spent.stderr}`);
  const quarter = (i: number) => median(seen.slice((seen.length * i) / 4, (seen.length * (i + 1)) / 4));
  const [secondQuarter, lastQuarter] = [quarter(1), quarter(3)];
  return {
    secondQuarter,
    lastQuarter,
    peak: Math.max(...seen),
    flat: lastQuarter <= secondQuarter * tolerance,
  };
}

/** Empty once the process is gone. */
function residentMiB(pid: number): number[] {
  try {
    const kib = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kib === undefined ? [] : [Number(kib) / 1024];
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
