/** Runs one test with the candidate in the run sandbox and brings back everything that was said about it. */
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import type { Target } from "../model/task.ts";
import type { Machine } from "../sandbox/machine.ts";
import type { SandboxResult } from "../sandbox/sandbox.ts";
import { inside, type Kit } from "./kit.ts";
import {
  decodeProof,
  decodeStatus,
  encodeLaunchConfig,
  type Proof,
  type RunStatus,
} from "./launch-config.ts";

/** A target with everything built that its runs need. */
export interface ReadyTarget {
  readonly target: Target;
  readonly kit: Kit;
  /** Host folder with `candidate.so`. */
  readonly candidate: string;
  /** Host path and entry of the test's object. */
  readonly test: {
    readonly path: string;
    readonly fullPath?: string;
    readonly entry: string;
    readonly isolated?: boolean;
  };
  /** Host folder with what serves an isolated candidate; its test is told so. */
  readonly server?: string;
  /** Given to the test as `HIDDEN_ORACLE_SEED`. */
  readonly seed?: number;
  readonly filters?: RunFilters;
}

/** What of a target matters to a run. */
export type RunnableTarget = Pick<Target, "args" | "stdin" | "limits" | "sanitizers">;

/** Seccomp programs: from the first instruction, and from the moment when everything is mapped. */
export interface RunFilters {
  readonly outer: Buffer;
  readonly inner: Buffer;
}

/** One run, as its three voices tell it: the sandbox, the supervisor, and the run itself. */
export interface RunReport {
  readonly sandbox: SandboxResult;
  readonly status: RunStatus;
  readonly proof: Proof;
}

const mib = 1024 * 1024;
/** Exit statuses that a sanitizer uses to end a run; text and exit status together name a cause. */
export const sanitizerExit = { address: 77, undefined: 78, thread: 79 } as const;

/** Options of the sanitizers. What the launcher checks itself (leaks) or fills itself (new memory) is off. */
function sanitizerEnv(): Record<string, string> {
  const asan = [
    `exitcode=${sanitizerExit.address}`,
    "abort_on_error=0",
    "halt_on_error=1",
    "detect_leaks=1",
    "leak_check_at_exit=0",
    "max_malloc_fill_size=0",
    // A fake stack would be full of zeros, not of the garbage that the launcher puts below the test's main.
    "detect_stack_use_after_return=0",
    // Candidate and test may both hold a copy of what a header defines inline.
    "detect_odr_violation=0",
    "allocator_may_return_null=0",
    "handle_abort=0",
    "color=never",
  ];
  return {
    ASAN_OPTIONS: asan.join(":"),
    UBSAN_OPTIONS: `exitcode=${sanitizerExit.undefined}:halt_on_error=1:print_stacktrace=1:color=never`,
    TSAN_OPTIONS: `exitcode=${sanitizerExit.thread}:halt_on_error=1:color=never`,
    LSAN_OPTIONS: `exitcode=${sanitizerExit.address}:color=never:print_suppressions=0`,
  };
}

/** Milliseconds past the supervisor's own wall limit after which the whole sandbox is killed. */
const backstopMs = 10_000;

/** Everything that a run needs but its verdict. */
export type RunInputs = Omit<ReadyTarget, "target"> & { readonly target: RunnableTarget };

/** Runs the test once. Nothing is judged here. */
export async function runTest(machine: Machine, inputs: RunInputs): Promise<RunReport> {
  const key = randomBytes(16);
  const sandbox = await launch(machine, inputs, key);
  const [proof, status] = voicesOf(sandbox);
  return { sandbox, status: decodeStatus(status), proof: decodeProof(proof, key, inputs.test.isolated) };
}

/** What the run and its supervisor wrote on their descriptors. */
export function voicesOf(sandbox: SandboxResult): [proof: Buffer, status: Buffer] {
  return [sandbox.read.get(1) ?? Buffer.alloc(0), sandbox.read.get(2) ?? Buffer.alloc(0)];
}

/** What a launch of many runs, one after the other, has beyond that of one. */
export interface ManyRuns {
  /** Given to the launcher as `HO_MANY`. */
  readonly list: string;
  readonly count: number;
}

/** Starts the launcher in the run sandbox and waits for its end. */
export async function launch(
  machine: Machine,
  inputs: RunInputs,
  key: Buffer,
  many?: ManyRuns,
): Promise<SandboxResult> {
  const { kit, target, test, filters } = inputs;
  const { limits } = target;
  const runs = many?.count ?? 1;
  const testFd = openSync(test.path, "r");
  try {
    return await machine.run({
      argv: [inside.launcher],
      binds: [
        { from: kit.runFolder, to: inside.run },
        { from: inputs.candidate, to: inside.candidate },
        ...(inputs.server === undefined ? [] : [{ from: inputs.server, to: inside.server }]),
      ],
      env: {
        ...sanitizerEnv(),
        ...(many === undefined ? {} : { HO_MANY: many.list }),
        ...(inputs.seed === undefined ? {} : { HIDDEN_ORACLE_SEED: String(inputs.seed) }),
      },
      cwd: "/tmp",
      tmpBytes: limits.diskMiB * mib,
      proc: true,
      extra: [
        { kind: "write", bytes: configOf(inputs, key, many !== undefined) },
        { kind: "read", keep: 8192 * runs },
        { kind: "read", keep: 8192 * runs },
        { kind: "file", fd: testFd },
      ],
      keepBytes: 64 * 1024,
      maxBytes: limits.outputKiB * 1024,
      wallMs: limits.wallSeconds * 1000 * runs + backstopMs,
      ...(target.stdin === undefined ? {} : { stdin: Buffer.from(target.stdin, "latin1") }),
      ...(filters === undefined ? {} : { seccomp: filters.outer }),
    });
  } finally {
    closeSync(testFd);
  }
}

function configOf({ target, test, filters }: RunInputs, key: Buffer, many: boolean): Buffer {
  const { limits } = target;
  return encodeLaunchConfig({
    key,
    entry: test.entry,
    args: target.args,
    memoryBytes: limits.memoryMiB * mib,
    fileBytes: limits.diskMiB * mib,
    cpuSeconds: Math.ceil(limits.cpuSeconds),
    wallMs: Math.ceil(limits.wallSeconds * 1000),
    processes: limits.processes,
    checkLeaks: target.sanitizers.includes("address") || target.sanitizers.includes("leak"),
    isolated: test.isolated ?? false,
    many,
    ...(filters === undefined ? {} : { filter: filters.inner }),
  });
}
