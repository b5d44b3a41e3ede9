/** Runs a program and accounts for the CPU time of everything that it starts, grandchildren included. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** What one program took, and how it ended. */
export interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number;
}

/** Where a program runs and what it is given. Nothing else of the caller's environment is passed on. */
export interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Called with the process id of the program itself. */
  readonly onStart?: (pid: number) => void;
}

/** One CPU account. Programs that run in it are to be run one after the other, or measured together. */
export interface CpuAccount {
  readonly kind: "cgroup v1" | "cgroup v2" | "wait";
  /** CPU milliseconds so far of all that ran here. */
  read(): number;
  run(argv: readonly [string, ...string[]], how: Started): Promise<Spent>;
  close(): void;
}

interface Ledger {
  readonly kind: CpuAccount["kind"];
  /** A program enters by writing its process id here. */
  readonly door: string | undefined;
  read(): number;
  close(): void;
}

/** The best account that this machine offers. */
export function openCpuAccount(): CpuAccount {
  const ledger = cgroupV1() ?? cgroupV2() ?? waitedFor();
  return {
    kind: ledger.kind,
    read: ledger.read,
    close: ledger.close,
    run: (argv, how) => runIn(ledger, argv, how),
  };
}

function cgroupV1(): Ledger | undefined {
  const folder = makeGroup("/sys/fs/cgroup/cpuacct");
  if (folder === undefined || !existsSync(join(folder, "cpuacct.usage"))) return undefined;
  return {
    kind: "cgroup v1",
    door: join(folder, "cgroup.procs"),
    read: () => Number(readFileSync(join(folder, "cpuacct.usage"), "utf8")) / 1e6,
    close: () => rmdirSync(folder),
  };
}

function cgroupV2(): Ledger | undefined {
  if (!existsSync("/sys/fs/cgroup/cgroup.controllers")) return undefined;
  const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
  const folder = makeGroup(join("/sys/fs/cgroup", own)) ?? makeGroup("/sys/fs/cgroup");
  if (folder === undefined) return undefined;
  return {
    kind: "cgroup v2",
    door: join(folder, "cgroup.procs"),
    read: () =>
      Number(/usage_usec (\d+)/.exec(readFileSync(join(folder, "cpu.stat"), "utf8"))?.[1] ?? 0) / 1e3,
    close: () => rmdirSync(folder),
  };
}

function makeGroup(parent: string): string | undefined {
  const folder = join(parent, `bench-${process.pid}`);
  try {
    mkdirSync(folder);
    return folder;
  } catch (error) {
    if (["ENOENT", "EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}

/** Without a group: what the kernel adds to this process when a child was waited for. It misses orphans. */
function waitedFor(): Ledger {
  const ticksPerSecond = 100;
  return {
    kind: "wait",
    door: undefined,
    read: () => {
      const stat = readFileSync("/proc/self/stat", "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
    },
    close: () => undefined,
  };
}

async function runIn(ledger: Ledger, argv: readonly [string, ...string[]], how: Started): Promise<Spent> {
  // The shell enters the group and becomes the program, so that no moment of it is missed.
  const enter = ledger.door === undefined ? "" : `echo $$ > ${ledger.door} && `;
  const before = ledger.read();
  const started = performance.now();
  const child = spawn("/bin/sh", ["-c", `${enter}exec "$@"`, "sh", ...argv], {
    cwd: how.cwd,
    env: how.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) how.onStart?.(child.pid);
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return {
    wallMs: performance.now() - started,
    cpuMs: ledger.read() - before,
    code,
    stdout: Buffer.concat(stdout).toString("utf8"),
    stderr: Buffer.concat(stderr).toString("utf8"),
    pid: child.pid ?? 0,
  };
}
