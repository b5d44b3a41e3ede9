/** Runs one argv inside bubblewrap: own namespaces, nothing of the host but what is bound in, hard limits. */
import { accessSync, constants, existsSync, lstatSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GraderError } from "../model/errors.ts";
import { type ExtraDescriptor, type ProcessResult, runProcess, type Watch } from "./process.ts";
import { isRunning } from "./process-tree.ts";

/** A folder or file of the host and the name it has inside. */
export interface Bind {
  readonly from: string;
  readonly to: string;
  readonly writable?: boolean;
  /** Hand over what is in it, too, where the sandbox runs under another user. */
  readonly withContents?: boolean;
}

/** Limits that the kernel enforces on every process inside; `prlimit` sets them. Bytes and seconds. */
export interface KernelLimits {
  readonly cpuSeconds?: number;
  readonly addressSpaceBytes?: number;
  readonly fileBytes?: number;
  /** Private memory that a process writes to; unlike address space it lets a virtual machine reserve at will. */
  readonly dataBytes?: number;
  /** Processes and threads of the sandbox's user. */
  readonly processes?: number;
}

/** What to run inside, and what it can see there. */
export interface SandboxSpec {
  readonly argv: readonly [string, ...string[]];
  readonly binds: readonly Bind[];
  /** The whole environment inside. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Size of the writable /tmp inside, in bytes. It is memory of the host. */
  readonly tmpBytes: number;
  /** Mount /proc (read-only): LeakSanitizer and opening by descriptor number need it. */
  readonly proc?: boolean;
  /** The other devices that ordinary programs expect, and a /dev/shm of `tmpBytes`. With `proc`. */
  readonly devices?: boolean;
  /** Leave the host's network in reach. */
  readonly network?: boolean;
  readonly kernelLimits?: KernelLimits;
  readonly stdin?: Uint8Array;
  readonly extra?: readonly ExtraDescriptor[];
  /** A seccomp program (classic BPF, little-endian) that holds from the program's first instruction. */
  readonly seccomp?: Uint8Array;
  readonly keepBytes: number;
  readonly maxBytes?: number;
  readonly wallMs: number;
  readonly signal?: AbortSignal;
  readonly uid?: number;
  readonly watch?: Watch;
}

/** A {@link ProcessResult} that also knows whether the program inside ever ran. */
export interface SandboxResult extends ProcessResult {
  /** Exit status of the program inside (128 + n for a signal), or null when it never ran or was killed with the sandbox. */
  readonly innerCode: number | null;
}

/** Folders of the host that a compiler lives in and reads. Never all of /usr: sources may be kept there. */
const systemFolders = ["bin", "lib", "lib32", "lib64", "libexec", "include", "x86_64-linux-gnu"].map(
  (f) => `/usr/${f}`,
);

/** The parts of the host's root that a toolchain needs, as the host has them: folders or links to folders. */
export function systemBinds(): { binds: Bind[]; links: { target: string; name: string }[] } {
  const binds: Bind[] = systemFolders.filter((f) => existsSync(f)).map((f) => ({ from: f, to: f }));
  const links: { target: string; name: string }[] = [];
  for (const name of ["/lib", "/lib64", "/lib32", "/bin"]) {
    if (!existsSync(name)) continue;
    if (lstatSync(name).isSymbolicLink()) links.push({ target: readlinkSync(name), name });
    else binds.push({ from: name, to: name });
  }
  return { binds, links };
}

/** Finds a program on `path` (a PATH-like list). */
export function findProgram(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter).filter((f) => f.startsWith("/"))) {
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      if (!["ENOENT", "EACCES", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  return undefined;
}

/** Where the programs of the sandbox are on this machine. */
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly prlimit: string;
}

/** @throws GraderError 69 when bubblewrap is missing. */
export function findSandbox(path: string): SandboxPrograms {
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined)
    throw new GraderError(69, "bubblewrap is not installed · bwrap is not on PATH", {
      hint: "apt-get install bubblewrap (as root), or your system's package of that name",
    });
  const prlimit = findProgram("prlimit", path);
  if (prlimit === undefined)
    throw new GraderError(69, "limits can't be set · prlimit is not on PATH", {
      hint: "apt-get install util-linux (as root), or your system's package of that name",
    });
  return { bwrap, prlimit };
}

/** The bubblewrap arguments for a spec: pure, so that a test can read them. */
export function sandboxArgs(spec: SandboxSpec, fds: { status: number; seccomp?: number }): string[] {
  const usesSystem = spec.binds.some((b) => b.to === "/usr" || b.to.startsWith("/usr/"));
  const args = ["--unshare-all", "--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000"];
  if (spec.network) args.push("--share-net");
  args.push("--hostname", "sandbox", "--json-status-fd", String(fds.status), "--clearenv");
  for (const [name, value] of Object.entries(spec.env ?? {})) args.push("--setenv", name, value);
  const inTmp = ({ to }: Bind) => to.startsWith("/tmp/");
  args.push(...spec.binds.filter((b) => !inTmp(b)).flatMap(bindArgs));
  if (usesSystem) for (const link of systemBinds().links) args.push("--symlink", link.target, link.name);
  args.push("--dev-bind", "/dev/null", "/dev/null");
  if (spec.proc) args.push(...deviceArgs(["urandom", "zero"]), "--proc", "/proc");
  if (spec.devices)
    args.push(...deviceArgs(["full", "random"]), ...deviceLinks, ...tmpfsArgs(spec, "/dev/shm"));
  // What is bound below /tmp comes after the file system that would cover it.
  args.push(...tmpfsArgs(spec, "/tmp"), ...spec.binds.filter(inTmp).flatMap(bindArgs));
  if (spec.proc) args.push("--remount-ro", "/proc");
  args.push("--remount-ro", "/", "--chdir", spec.cwd);
  if (fds.seccomp !== undefined) args.push("--seccomp", String(fds.seccomp));
  return args;
}

const deviceLinks = [
  ["/proc/self/fd", "/dev/fd"],
  ["/proc/self/fd/0", "/dev/stdin"],
  ["/proc/self/fd/1", "/dev/stdout"],
  ["/proc/self/fd/2", "/dev/stderr"],
].flatMap((link) => ["--symlink", ...link]);

function bindArgs({ from, to, writable }: Bind): string[] {
  return [writable ? "--bind" : "--ro-bind", from, to];
}

function deviceArgs(names: readonly string[]): string[] {
  return names.flatMap((name) => ["--dev-bind", `/dev/${name}`, `/dev/${name}`]);
}

function tmpfsArgs({ tmpBytes }: SandboxSpec, to: string): string[] {
  return ["--size", String(tmpBytes), "--perms", "1777", "--tmpfs", to];
}

/** `prlimit` in front of an argv, for limits that bind whatever the argv starts. */
function limitedArgv(prlimit: string, spec: SandboxSpec): string[] {
  const { cpuSeconds, addressSpaceBytes, fileBytes, dataBytes, processes } = spec.kernelLimits ?? {};
  if (spec.kernelLimits === undefined) return [...spec.argv];
  const limits = ["--core=0", "--nofile=1024"];
  if (cpuSeconds !== undefined) limits.push(`--cpu=${cpuSeconds}:${cpuSeconds + 1}`);
  if (addressSpaceBytes !== undefined) limits.push(`--as=${addressSpaceBytes}`);
  if (fileBytes !== undefined) limits.push(`--fsize=${fileBytes}`);
  if (dataBytes !== undefined) limits.push(`--data=${dataBytes}`);
  if (processes !== undefined) limits.push(`--nproc=${processes}`);
  return [prlimit, ...limits, ...spec.argv];
}

/**
 * Runs `spec` inside bubblewrap. The sandbox itself starts with an empty environment and takes its
 * options through a descriptor, since process 1 inside shows environment and command line to whoever runs there.
 *
 * @throws GraderError as {@link runProcess} does.
 */
export async function runSandboxed(programs: SandboxPrograms, spec: SandboxSpec): Promise<SandboxResult> {
  const extra: ExtraDescriptor[] = [...(spec.extra ?? [])];
  const status = extra.push({ kind: "read", keep: 4096 }) - 1;
  const seccomp = spec.seccomp && extra.push({ kind: "write", bytes: spec.seccomp }) - 1;
  const fds = { status: status + 3, ...(seccomp === undefined ? {} : { seccomp: seccomp + 3 }) };
  const text = sandboxArgs(spec, fds).join("\0");
  const args = extra.push({ kind: "write", bytes: Buffer.from(`${text}\0`) }) - 1;
  const result = await runProcess({
    argv: [programs.bwrap, "--args", String(args + 3), "--", ...limitedArgv(programs.prlimit, spec)],
    extra,
    keepBytes: spec.keepBytes,
    wallMs: spec.wallMs,
    ...(spec.maxBytes === undefined ? {} : { maxBytes: spec.maxBytes }),
    ...(spec.stdin === undefined ? {} : { stdin: spec.stdin }),
    ...(spec.signal === undefined ? {} : { signal: spec.signal }),
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.watch === undefined ? {} : { watch: spec.watch }),
  });
  const said = result.read.get(status)?.toString("latin1") ?? "";
  if (result.ended !== "itself") await emptied(Number(/"child-pid"\s*:\s*(\d+)/.exec(said)?.[1] ?? 0));
  const inner = /"exit-code"\s*:\s*(\d+)/.exec(said);
  return { ...result, innerCode: inner ? Number(inner[1]) : null };
}

const patienceMs = 5000;

/** A killed sandbox's first process is gone once all its others are; what they wrote to is at rest then. */
async function emptied(first: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (first > 0 && isRunning(first) && performance.now() < deadline) await sleep(5);
}
