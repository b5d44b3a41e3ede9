/** What a run leaves on the machine when it is over: processes that still live, files that still exist. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { CliResult } from "./cli.ts";

/** Nothing left is two empty lists. */
export interface LeftBehind {
  /** `pid name` of each. */
  readonly processes: readonly string[];
  readonly files: readonly string[];
}

/** The kernel takes a killed process apart a moment after its parent has heard of its end. */
const patienceMs = 2_000;

/** Looks for what a run left, for as long as a process that was killed may take to vanish. */
export async function leftBehind(run: Pick<CliResult, "pid" | "temporary">): Promise<LeftBehind> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const processes = processesOf(run);
    if (processes.length === 0 || performance.now() > deadline)
      return { processes, files: readdirSync(run.temporary) };
    await sleep(20);
  }
}

/**
 * Processes of a run, by what no other run has: the users that its sandboxes run under when root starts it,
 * and its temporary folder among the mounts that a process sees or in its command line.
 */
export function processesOf(run: Pick<CliResult, "pid" | "temporary">): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => belongsTo(run, `/proc/${pid}`))
    .map((pid) => `${pid} ${readIfThere(`/proc/${pid}/comm`).trim()}`);
}

function belongsTo(run: Pick<CliResult, "pid" | "temporary">, folder: string): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || readIfThere(`${folder}/stat`).includes(") Z ")) return false;
  // Two runs at the same time may come to the same users: what hangs below a grader that still runs is its own.
  if (process.getuid?.() === 0 && usersOf(run.pid).includes(owner) && !hasGrader(folder)) return true;
  const mounts = readIfThere(`${folder}/mountinfo`);
  return mounts.includes(run.temporary) || readIfThere(`${folder}/cmdline`).includes(run.temporary);
}

/** Whether some ancestor is a grader that is still there. */
function hasGrader(folder: string): boolean {
  const parent = /\) \S (\d+)/.exec(readIfThere(`${folder}/stat`))?.[1];
  if (parent === undefined || Number(parent) <= 1) return false;
  return readIfThere(`/proc/${parent}/comm`).trim() === "node" || hasGrader(`/proc/${parent}`);
}

/** The user ids that a run by root takes for its sandboxes: a few in a row, chosen by its process id. */
function usersOf(pid: number): number[] {
  return Array.from(
    { length: availableParallelism() },
    (_, slot) => 61_184 + ((((pid * 16) % 3_000) + slot) % 3_000),
  );
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // A process may end between two looks, and others' processes can't all be read.
    if (
      ["ENOENT", "ESRCH", "EACCES", "EPERM", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")
    )
      return "";
    throw error;
  }
}
