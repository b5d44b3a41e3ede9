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
  const words = [config.cpuSeconds, config.wallMs, config.processes, config.checkLeaks ? 1 : 0];
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
  /** The test returned, and the MAC under this run's key is right. `leaks` is null where nobody looked. */
  | {
      readonly kind: "completed";
      readonly result: number;
      readonly checks: bigint;
      readonly chain: bigint;
      readonly leaks: boolean | null;
    };

const completionBytes = 33;

/** Decodes the proof descriptor. A completion counts only with its MAC; anything unknown reads as none. */
export function decodeProof(bytes: Buffer, key: Buffer): Proof {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case "L":
      return { kind: "load-failed", message: bytes.toString("latin1", 1).trimEnd() };
    case "G":
      return { kind: "gate-failed" };
    case "F":
      if (bytes.length < 6) return { kind: "none" };
      return { kind: "check-failed", line: bytes.readUInt32LE(2), foreign: bytes[1] !== 0 };
    case "D":
      return decodeCompletion(bytes, key);
    default:
      return { kind: "none" };
  }
}

function decodeCompletion(bytes: Buffer, key: Buffer): Proof {
  if (bytes.length !== completionBytes) return { kind: "none" };
  const signed = bytes.subarray(0, completionBytes - 8);
  if (siphash(key, signed) !== bytes.readBigUInt64LE(completionBytes - 8)) return { kind: "none" };
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
  };
}

const reasons = ["itself", "memory", "cpu", "wall", "starved"] as const;

/** Decodes the status descriptor. */
export function decodeStatus(bytes: Buffer): RunStatus {
  const started = bytes[0] === 0x53;
  if (!started || bytes.length < 27 || bytes[1] !== 0x58) return { started, end: null };
  const wait = bytes.readInt32LE(3);
  const signal = wait & 0x7f;
  return {
    started,
    end: {
      reason: reasons[bytes[2] ?? 0] ?? "itself",
      exitCode: signal === 0 ? (wait >> 8) & 0xff : null,
      signal: signal === 0 ? null : signal,
      cpuMs: Number(bytes.readBigUInt64LE(7)) / 1000,
      peakRssKib: Number(bytes.readBigUInt64LE(15)),
      peakProcesses: bytes.readUInt32LE(23),
    },
  };
}
