/** What became of one layer: the whole truth about a result, as one union. */

/** Why a layer failed; every member is the candidate's own fault. */
export const failCauses = [
  "compile-error",
  "link-error",
  "assertion",
  "nonzero-exit",
  "signal",
  "asan",
  "ubsan",
  "leak",
  "tsan",
  "msan",
  "valgrind",
  "timeout",
  "memory-limit",
  "output-limit",
  "process-limit",
  "early-exit",
  "no-tests",
  "wrong-output",
  "flaky",
  "tampering",
] as const;
export type FailCause = (typeof failCauses)[number];

/** Why a layer could not be judged; never the candidate's fault. Gives no token. */
export const errorCauses = [
  "sandbox-failed",
  "compiler-missing",
  "sanitizer-unavailable",
  "no-space",
  "no-memory",
  "too-many-files",
  "starved",
  "interrupted",
  "internal",
] as const;
export type ErrorCause = (typeof errorCauses)[number];

/** One thing that a sanitizer, the compiler or a hygiene rule named. `line` counts from 1. */
export interface Finding {
  /** What was found, in a word or two of the field: `heap-buffer-overflow`, `signed-integer-overflow`, `macro`. */
  readonly kind: string;
  readonly message?: string;
  /** Path relative to the task folder. Only ever a file of the candidate. */
  readonly file?: string;
  readonly line?: number;
}

interface Measured {
  /** Wall time of building and running this layer's targets, in milliseconds. */
  readonly durationMs: number;
  /** CPU time of the runs, all processes, in milliseconds. */
  readonly cpuMs: number;
}

/** What one layer came to. `detail` is one line for a maintainer. */
export type LayerOutcome =
  | (Measured & { readonly status: "pass"; readonly findings?: readonly Finding[]; readonly detail?: string })
  | (Measured & {
      readonly status: "fail";
      readonly cause: FailCause;
      readonly detail: string;
      readonly findings?: readonly Finding[];
    })
  | (Measured & { readonly status: "error"; readonly cause: ErrorCause; readonly detail: string });
