/** Every exit code of the program, and the one error type that carries a fault to it. */

/**
 * Exit codes, one sentence each. 1 is never ours: it is what Node uses for a crash.
 * 0, 2, 3 and 4 belong to verdicts; see `verdict.ts`.
 */
export const ExitCode = {
  /** The patch could not be judged and that is its own fault. */
  rejected: 5,
  /** A check of the task or of the machine ran and found something. */
  findings: 6,
  /** The command line is wrong. */
  usage: 64,
  /** The task is at fault: manifest, named file, lock, tests that build against nothing. */
  badTask: 65,
  /** An input file is missing or unreadable. */
  noInput: 66,
  /** A needed program or protection is not there. */
  unavailable: 69,
  /** Our own fault. */
  internal: 70,
  /** A passing fault of the machine: try again. */
  tryAgain: 75,
  /** SIGINT. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** Exit codes that a {@link GraderError} may carry: faults of operator, task or machine. */
export type FaultCode = 64 | 65 | 66 | 69 | 70 | 75 | 130 | 143;

/** Where in a text file a fault sits. Lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A fault of the operator, the task or the machine. Failures of a candidate are values, never this.
 *
 * `message` says what happened and names the value; `hint` is the next step.
 */
export class GraderError extends Error {
  override readonly name = "GraderError";
  readonly exit: FaultCode;
  readonly hint: string | undefined;
  readonly location: Location | undefined;

  constructor(
    exit: FaultCode,
    message: string,
    options: { hint?: string; location?: Location; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exit = exit;
    this.hint = options.hint;
    this.location = options.location;
  }
}
