/** Runs somebody's command on a throwaway folder of files, and gives back what it left there. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Bytes } from "../model/task.ts";
import type { Tree } from "../model/tree.ts";
import { readLeftTree, removeLeftTree, sizeOfFolder } from "./left-tree.ts";
import type { Machine, MachineSpec } from "./machine.ts";
import { useOfTree } from "./process-tree.ts";
import { type Bind, systemBinds } from "./sandbox.ts";
import { outerFilter } from "./seccomp.ts";

/** What an agent may take of the machine, all its processes together. */
export interface AgentLimits {
  readonly memoryMiB: number;
  /** Of its checkout and its home. */
  readonly diskMiB: number;
  /** Processes and threads. */
  readonly processes: number;
}

/** What to run, and on what. */
export interface AgentWork {
  /** For `sh -c`. */
  readonly command: string;
  /** The checkout: files by path. */
  readonly files: ReadonlyMap<string, Bytes>;
  /** Beyond PATH, HOME and the like. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the host that can be read inside. */
  readonly tools: readonly Omit<Bind, "writable" | "withContents">[];
  readonly network: boolean;
  readonly limits: AgentLimits;
  readonly wallMs: number;
  /** Paths of the checkout that are the agent's own and not looked at afterwards. */
  readonly ignore: (path: string) => boolean;
}

/** What came of it. */
export interface AgentOutcome {
  /** The limit that stopped it; null when it ended by itself. */
  readonly stopped: "time" | "memory" | "disk" | "processes" | null;
  /** Exit status, or null when it was stopped. */
  readonly code: number | null;
  /** As bytes; head and tail where there was much. */
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  readonly tree: Tree | { readonly why: string };
}

/** Names inside. */
export const agentPlaces = { checkout: "/checkout", home: "/home/agent" } as const;
const systemPath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const mebi = 1024 * 1024;
const tmpBytes = 256 * mebi;
const keepBytes = 64 * 1024;
const everyMs = 250;
/** Past this many entries a folder counts as too large. */
const mostEntries = 100_000;
const bounds = { mostEntries: 20_000, largestFile: 8 * mebi, mostBytes: 64 * mebi };

/** @throws GraderError 75 when the sandbox can't start, 130 or 143 when it was interrupted; nothing is left then either. */
export async function runAgent(machine: Machine, work: AgentWork): Promise<AgentOutcome> {
  const folder = machine.newFolder("agent");
  try {
    const [checkout, home] = [join(folder, "checkout"), join(folder, "home")];
    for (const each of [checkout, home]) mkdirSync(each);
    for (const [path, bytes] of work.files) writeBelow(checkout, path, bytes);
    writeFileSync(join(folder, "passwd"), `agent:x:1000:1000::${agentPlaces.home}:/bin/sh\n`);
    let over: AgentOutcome["stopped"] = null;
    const isOver = (pid: number) => {
      over ??= limitPassed(pid, [checkout, home], work.limits);
      return over !== null;
    };
    const result = await machine.run({ ...agentSpec(work, folder), watch: { everyMs, isOver } });
    const [stdout, stderr] = [result.stdout.text, result.stderr.text];
    if (result.ended === "itself" && result.innerCode === null) throw notStarted(stderr);
    return {
      stopped: result.ended === "wall" ? "time" : over,
      code: result.innerCode,
      stdout,
      stderr,
      tree: readLeftTree(checkout, work.ignore, bounds),
    };
  } finally {
    removeLeftTree(folder);
  }
}

function writeBelow(folder: string, path: string, bytes: Bytes): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, bytes, "latin1");
}

function limitPassed(pid: number, folders: readonly string[], limits: AgentLimits): AgentOutcome["stopped"] {
  const { memoryBytes, threads } = useOfTree(pid);
  if (memoryBytes > limits.memoryMiB * mebi) return "memory";
  if (threads > limits.processes) return "processes";
  const size = folders.reduce((sum, folder) => sum + sizeOfFolder(folder, mostEntries), 0);
  return size > limits.diskMiB * mebi ? "disk" : null;
}

/** The sandbox of an agent: the system read-only, its checkout and its home, and nothing else of the host. */
function agentSpec(work: AgentWork, folder: string): MachineSpec {
  const { limits, tools, network } = work;
  return {
    argv: ["/bin/sh", "-c", work.command],
    binds: [
      ...systemFiles(network),
      { from: join(folder, "passwd"), to: "/etc/passwd" },
      ...tools,
      { from: join(folder, "checkout"), to: agentPlaces.checkout, writable: true, withContents: true },
      { from: join(folder, "home"), to: agentPlaces.home, writable: true },
    ],
    env: {
      PATH: [...tools.flatMap(({ to }) => [join(to, "bin"), to]), ...systemPath].join(":"),
      HOME: agentPlaces.home,
      TMPDIR: "/tmp",
      LANG: "C.UTF-8",
      TERM: "dumb",
      ...work.env,
    },
    cwd: agentPlaces.checkout,
    tmpBytes,
    proc: true,
    devices: true,
    network,
    // The kernel's limits are a margin above ours, so that ours say what happened.
    kernelLimits: {
      dataBytes: limits.memoryMiB * mebi,
      fileBytes: limits.diskMiB * mebi,
      processes: limits.processes + 16,
    },
    seccomp: outerFilter({ network: true }),
    keepBytes,
    wallMs: work.wallMs,
  };
}

/** Folders of the system that an agent is shown: its programs, and what they read to run. */
export const shownSystem = ["/usr", "/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/alternatives"];
const loaderFiles = ["/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];
const networkFiles = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services"];

function systemFiles(network: boolean): Bind[] {
  const files = [...shownSystem, ...loaderFiles, ...(network ? networkFiles : [])];
  const roots = systemBinds().binds.filter(({ to }) => !to.startsWith("/usr/"));
  // resolv.conf is often a link into a folder that is not shown.
  return [
    ...roots,
    ...files.filter((file) => existsSync(file)).map((to) => ({ from: realpathSync(to), to })),
  ];
}

function notStarted(said: Bytes): GraderError {
  const line = said.trim().split("\n").at(-1)?.slice(0, 300) || "no message";
  return new GraderError(ExitCode.tryAgain, `the agent's sandbox did not start, or was killed · ${line}`, {
    hint: "run `hidden-oracle doctor`; as root, folders of --agent-path must be open to other users",
  });
}
