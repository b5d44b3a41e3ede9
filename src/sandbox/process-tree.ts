/** What a running program and all that it started take of the machine, as /proc tells. */
import { readdirSync, readFileSync } from "node:fs";

/** Sums over a process and everything below it. */
export interface TreeUse {
  /** Anonymous and shared memory in bytes; what files map is the machine's to reclaim. */
  readonly memoryBytes: number;
  /** Threads of all processes, which is what the kernel's limit counts. */
  readonly threads: number;
}

/** Measures `root` and its descendants. In a process namespace orphans stay below its first process. */
export function useOfTree(root: number): TreeUse {
  const below = descendants(root);
  let [memoryBytes, threads] = [0, 0];
  for (const pid of below) {
    const status = readProc(`/proc/${pid}/status`);
    memoryBytes += (numberIn(status, "RssAnon") + numberIn(status, "RssShmem")) * 1024;
    threads += numberIn(status, "Threads");
  }
  return { memoryBytes, threads };
}

/** Whether a process is still there and not merely waiting to be reaped. */
export function isRunning(pid: number): boolean {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

function descendants(root: number): Set<number> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(/\) \S (\d+)/.exec(readProc(`/proc/${name}/stat`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = new Set<number>();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return found;
}

function numberIn(status: string, key: string): number {
  return Number(new RegExp(`^${key}:\\s*(\\d+)`, "m").exec(status)?.[1] ?? 0);
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    // It ended between two looks, or hides from this user.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return "";
    throw error;
  }
}
