/** The byte layouts that the launcher and the grader share. Little-endian, packed; see `native/launcher.c`. */
import { siphash } from "./siphash.ts";

/** What the launcher is told, once, through a descriptor that it closes before candidate code is mapped. */
export interface LaunchConfig {
  /** 16 random bytes, new for each run. */
  readonly key: Buffer;
  /** Name of the entry symbol of the test's shared object. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly memoryBytes: number;
  readonly fileBytes: number;
  readonly cpuSeconds: number;
  readonly wallMs: number;
  readonly processes: number;
  readonly checkLeaks: boolean;
  /** The candidate gets a process of its own; see `native/remote.c`. */
  readonly isolated?: boolean;
  /** The candidate holds many variants, each to be run in turn; see `run_many` in `native/launcher.c`. */
  readonly many?: boolean;
  /** A seccomp program that is set when everything is mapped, before anything of the candidate runs. */
  readonly filter?: Buffer;
}

/** Encodes {@link LaunchConfig} as the launcher's `struct config` and its three tails. */
export function encodeLaunchConfig(config: LaunchConfig): Buffer {
  const entry = Buffer.from(config.entry, "latin1");
  const args = Buffer.from(config.args.map((a) => `${a}\0`).join(""));
  const filter = config.filter ?? Buffer.alloc(0);
  const head = Buffer.alloc(60);
  config.key.copy(head, 0, 0, 16);
  head.writeBigUInt64LE(BigInt(config.memoryBytes), 16);
  head.writeBigUInt64LE(BigInt(config.fileBytes), 24);
  const words = [
    config.cpuSeconds,
    config.wallMs,
    config.processes,
    (config.checkLeaks ? 1 : 0) | (config.isolated ? 2 : 0) | (config.many ? 4 : 0),
  ];
  for (const [i, word] of [...words, entry.length, args.length, filter.length].entries())
    head.writeUInt32LE(word, 32 + i * 4);
  return Buffer.concat([head, entry, args, filter]);
}

/** What the run itself said on the proof descriptor, as far as it can be believed. */
export type Proof =
  | { readonly kind: "none" }
  /** The objects could not be loaded together; written before anything of the candidate ran. */
  | { readonly kind: "load-failed"; readonly message: string }
  | { readonly kind: "gate-failed" }
  /** A check failed. `foreign`: an assertion in a header of the candidate. */
  | { readonly kind: "check-failed"; readonly line: number; readonly foreign: boolean }
  /** What the candidate's own process did ended the test's: it went away, or it sent what no honest one would. */
  | { readonly kind: "remote-failed"; readonly why: (typeof remoteFaults)[number] }
  /** The test returned, and the MAC under this run's key is right. `leaks` is null where nobody looked. */
  | {
      readonly kind: "completed";
      readonly result: number;
      readonly checks: bigint;
      readonly chain: bigint;
      readonly leaks: boolean | null;
    };

/** How long a record on the proof descriptor is, by its first byte; 0 for what no launcher of ours writes. */
export function proofLength(bytes: Buffer): number {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "L":
      return bytes.length < 3 ? 0 : 3 + bytes.readUInt16LE(1) + 8;
    case "G":
      return 9;
    case "F":
      return 6;
    case "R":
      return 2;
    case "D":
      return completionBytes;
    default:
      return 0;
  }
}

const remoteFaults = ["ended", "malformed", "too-long"] as const;
const completionBytes = 33;

const noKey = Buffer.alloc(16);

/**
 * Decodes the proof descriptor. What a candidate could gain by counts only with its MAC; anything unknown reads
 * as none. An isolated candidate's process has wiped the key, and loses the descriptor before its code runs.
 */
export function decodeProof(bytes: Buffer, key: Buffer, isIsolated = false): Proof {
  const isSigned = (end: number) => hasMac(bytes, end, key) || (isIsolated && hasMac(bytes, end, noKey));
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "L": {
      const end = 3 + (bytes.length < 3 ? 0 : bytes.readUInt16LE(1));
      return isSigned(end)
        ? { kind: "load-failed", message: bytes.toString("latin1", 3, end) }
        : { kind: "none" };
    }
    case "G":
      return isSigned(1) ? { kind: "gate-failed" } : { kind: "none" };
    case "F":
      if (bytes.length < 6) return { kind: "none" };
      return { kind: "check-failed", line: bytes.readUInt32LE(2), foreign: bytes[1] !== 0 };
    case "R":
      return { kind: "remote-failed", why: remoteFaults[bytes[1] ?? 0] ?? "malformed" };
    case "D":
      return decodeCompletion(bytes, key);
    default:
      return { kind: "none" };
  }
}

/** Whether the bytes before `end` are followed by their MAC. */
function hasMac(bytes: Buffer, end: number, key: Buffer): boolean {
  return end + 8 <= bytes.length && siphash(key, bytes.subarray(0, end)) === bytes.readBigUInt64LE(end);
}

function decodeCompletion(bytes: Buffer, key: Buffer): Proof {
  if (bytes.length !== completionBytes || !hasMac(bytes, completionBytes - 8, key)) return { kind: "none" };
  const leaks = bytes.readInt32LE(5);
  return {
    kind: "completed",
    result: bytes.readInt32LE(1),
    leaks: leaks < 0 ? null : leaks > 0,
    checks: bytes.readBigUInt64LE(9),
    chain: bytes.readBigUInt64LE(17),
  };
}

/** What the supervisor said: the one voice that no candidate can reach. */
export interface RunStatus {
  /** The sanitizers and the launcher came up. */
  readonly started: boolean;
  /** How the run ended; null when the supervisor never came to say it. */
  readonly end: null | {
    readonly reason: "itself" | "memory" | "cpu" | "wall" | "starved";
    readonly exitCode: number | null;
    readonly signal: number | null;
    readonly cpuMs: number;
    readonly peakRssKib: number;
    readonly peakProcesses: number;
    /** The candidate's own process, where it had one. */
    readonly candidate?: CandidateEnd;
  };
}

/** How the candidate's own process ended. */
export interface CandidateEnd {
  /** While the test was still calling, after its last call, or after the test's own end. */
  readonly order: "early" | "in-turn" | "last";
  /** Whether it served to the end, and what its leak check found there. */
  readonly work: "unfinished" | "clean" | "leaked";
  readonly exitCode: number | null;
  readonly signal: number | null;
}

const orders = ["early", "in-turn", "last"] as const;
const works = ["unfinished", "clean", "leaked"] as const;
const reasons = ["itself", "memory", "cpu", "wall", "starved"] as const;

/** Decodes the status descriptor. */
export function decodeStatus(bytes: Buffer): RunStatus {
  const started = bytes[0] === 0x53;
  if (!started || bytes.length < 27 || bytes[1] !== 0x58) return { started, end: null };
  return {
    started,
    end: {
      reason: reasons[bytes[2] ?? 0] ?? "itself",
      ...decodeWait(bytes.readInt32LE(3)),
      cpuMs: Number(bytes.readBigUInt64LE(7)) / 1000,
      peakRssKib: Number(bytes.readBigUInt64LE(15)),
      peakProcesses: bytes.readUInt32LE(23),
      ...decodeCandidate(bytes.subarray(27)),
    },
  };
}

function decodeCandidate(bytes: Buffer): { candidate?: CandidateEnd } {
  if (bytes.length < 7 || bytes[0] !== 0x43) return {};
  const [work, order] = [works[bytes[1] ?? 0] ?? "unfinished", orders[bytes[2] ?? 0] ?? "early"];
  return { candidate: { work, order, ...decodeWait(bytes.readInt32LE(3)) } };
}

function decodeWait(wait: number): { exitCode: number | null; signal: number | null } {
  const signal = wait & 0x7f;
  return signal === 0 ? { exitCode: (wait >> 8) & 0xff, signal: null } : { exitCode: null, signal };
}
