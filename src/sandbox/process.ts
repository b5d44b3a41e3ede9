/** Starts one program, feeds and drains its descriptors, and takes its whole process group down with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { GraderError } from "../model/errors.ts";
import { CappedOutput, type CappedText } from "./capped-output.ts";
import { withoutInherited } from "./inherited.ts";

/**
 * One descriptor past standard error: bytes to be written and closed, a pipe to be read, or an open file.
 * Index 0 becomes descriptor 3 of the program.
 */
export type ExtraDescriptor =
  | { readonly kind: "write"; readonly bytes: Uint8Array }
  | { readonly kind: "read"; readonly keep: number }
  | { readonly kind: "file"; readonly fd: number };

/** One program to run. Nothing of the caller's environment is passed on but `env`. */
export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Drops to this user and group (only root can). */
  readonly uid?: number;
  readonly stdin?: Uint8Array;
  readonly extra?: readonly ExtraDescriptor[];
  /** Bytes of standard output, and of standard error, that are kept. */
  readonly keepBytes: number;
  /** Standard output and error together past this many bytes end the program. */
  readonly maxBytes?: number;
  /** Milliseconds until the group is killed. */
  readonly wallMs: number;
  readonly signal?: AbortSignal;
  readonly watch?: Watch;
}

/** Looks at a running program now and then, for limits that the kernel doesn't know. */
export interface Watch {
  readonly everyMs: number;
  /** True ends the program. */
  readonly isOver: (pid: number) => boolean;
}

/** How a program ended, and all that came out of it. Never thrown: a failure has the shape of a success. */
export interface ProcessResult {
  readonly ended: "itself" | "wall" | "output" | "watch" | "aborted";
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: CappedText;
  readonly stderr: CappedText;
  /** What was read from each `read` descriptor, by its index in `extra`. */
  readonly read: ReadonlyMap<number, Buffer>;
  readonly wallMs: number;
}

const DRAIN_MS = 250;

/**
 * Runs one program to its end.
 *
 * @throws GraderError 69 when the program isn't there, 75 when the machine has no process, memory or
 *   descriptor left to start it.
 */
export async function runProcess(spec: ProcessSpec): Promise<ProcessResult> {
  const started = performance.now();
  const child = start(spec);
  const out = new CappedOutput(spec.keepBytes);
  const err = new CappedOutput(spec.keepBytes);
  const reads = new Map<number, CappedOutput>();
  let ended: ProcessResult["ended"] = "itself";
  const end = (why: ProcessResult["ended"]) => {
    if (ended === "itself") ended = why;
    killGroup(child);
  };
  drain(child.stdout, out);
  drain(child.stderr, err);
  const watchOutput = () =>
    out.bytes + err.bytes > (spec.maxBytes ?? Number.POSITIVE_INFINITY) && end("output");
  child.stdout?.on("data", watchOutput);
  child.stderr?.on("data", watchOutput);
  connectExtra(child, spec, reads);
  feed(child.stdin, spec.stdin ?? new Uint8Array());
  const timer = setTimeout(() => end("wall"), spec.wallMs);
  let failedLook: { readonly error: unknown } | undefined;
  const stopWatching = watchOver(child, spec.watch, (failed) => {
    failedLook = failed;
    end("watch");
  });
  const onAbort = () => end("aborted");
  spec.signal?.addEventListener("abort", onAbort, { once: true });
  if (spec.signal?.aborted) onAbort();
  try {
    const { code, signal } = await waitForEnd(child);
    if (failedLook !== undefined) throw failedLook.error;
    const read = new Map([...reads].map(([index, sink]) => [index, sink.raw()]));
    const wallMs = performance.now() - started;
    return { ended, code, signal, stdout: out.finish(), stderr: err.finish(), read, wallMs };
  } finally {
    clearTimeout(timer);
    stopWatching();
    spec.signal?.removeEventListener("abort", onAbort);
    killGroup(child);
  }
}

type EndOfWatch = (failed?: { readonly error: unknown }) => void;

/** A look that takes long makes the next one wait longer, so that looking stays cheap; one that fails ends the program. */
function watchOver({ pid }: ChildProcess, watch: Watch | undefined, end: EndOfWatch): () => void {
  if (watch === undefined || pid === undefined) return () => undefined;
  const look = () => {
    const started = performance.now();
    try {
      if (watch.isOver(pid)) end();
      else timer = setTimeout(look, Math.max(watch.everyMs, 10 * (performance.now() - started)));
    } catch (error) {
      end({ error });
    }
  };
  let timer = setTimeout(look, watch.everyMs);
  return () => clearTimeout(timer);
}

function start(spec: ProcessSpec): ChildProcess {
  const [program, ...args] = withoutInherited(spec.argv, 3 + (spec.extra ?? []).length);
  const extra = (spec.extra ?? []).map((d) => (d.kind === "file" ? d.fd : ("pipe" as const)));
  const identity = spec.uid === undefined ? {} : { uid: spec.uid, gid: spec.uid };
  const stdin = spec.stdin === undefined ? ("ignore" as const) : ("pipe" as const);
  try {
    return spawn(program, args, {
      env: { ...spec.env },
      cwd: spec.cwd ?? "/",
      stdio: [stdin, "pipe", "pipe", ...extra],
      // A group of its own, so that one signal reaches whatever it started.
      detached: true,
      ...identity,
    });
  } catch (error) {
    throw startFault(program, error);
  }
}

/** The machine's fault or the operator's; a candidate has no part in starting a program. */
function startFault(program: string, error: unknown): GraderError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  const passing = ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE", "ENOSPC"].includes(code);
  return new GraderError(passing ? 75 : 69, `cannot start ${program} · ${code}`, {
    hint: passing
      ? "free processes, memory or open files on this machine, then try again"
      : "run `hidden-oracle doctor`",
    cause: error,
  });
}

function drain(stream: Readable | null, sink: CappedOutput): void {
  stream?.on("data", (chunk: Buffer) => sink.push(chunk));
  stream?.on("error", ignoreClosedPipe);
}

function feed(stream: Writable | null, bytes: Uint8Array): void {
  stream?.on("error", ignoreClosedPipe);
  stream?.end(bytes);
}

/** A program may end before it read or wrote everything; how it ended tells the rest. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (!["EPIPE", "ECONNRESET", "EIO", "ERR_STREAM_PREMATURE_CLOSE"].includes(error.code ?? "")) throw error;
}

function connectExtra(child: ChildProcess, spec: ProcessSpec, reads: Map<number, CappedOutput>): void {
  for (const [index, descriptor] of (spec.extra ?? []).entries()) {
    const stream = child.stdio[index + 3];
    if (descriptor.kind === "write") feed(stream as Writable | null, descriptor.bytes);
    if (descriptor.kind === "read") {
      const sink = new CappedOutput(descriptor.keep);
      reads.set(index, sink);
      drain(stream as Readable | null, sink);
    }
  }
}

/** Waits for the exit and then for the pipes, but only briefly: a survivor may hold them open. */
function waitForEnd(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startFault(child.spawnfile, error)));
    child.once("exit", (code, signal) => {
      const finish = () => resolve({ code, signal });
      const timer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
        finish();
      }, DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        finish();
      });
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, constants.signals.SIGKILL);
  } catch (error) {
    // ESRCH: the group is gone, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
