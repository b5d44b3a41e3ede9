/** The record of something that could not be graded: no verdict, and the reason why. */
import { createHash, randomUUID } from "node:crypto";
import { ExitCode, type GraderError } from "../model/errors.ts";
import { type GradeRecord, recordVersion } from "../model/record.ts";
import { version } from "../model/version.ts";

/** What was known when the fault came. */
export interface Known {
  readonly id?: string;
  readonly task?: { readonly id: string; readonly digest: string };
  readonly bytes?: Uint8Array;
  readonly path?: string | undefined;
  readonly started?: number;
}

/** Exit codes that `--json` tells of on standard output: the grade was tried and gave no verdict. */
export function hasRecord(exit: number): boolean {
  const told: readonly number[] = [
    ExitCode.badTask,
    ExitCode.unavailable,
    ExitCode.internal,
    ExitCode.tryAgain,
  ];
  return told.includes(exit);
}

/** A record with `verdict: null` and the fault as its `error`. */
export function ungradedRecord(fault: GraderError, known: Known): GradeRecord {
  const { exit, message, hint } = fault;
  const digest = known.bytes === undefined ? "" : createHash("sha256").update(known.bytes).digest("hex");
  return {
    schemaVersion: recordVersion,
    id: known.id ?? randomUUID(),
    task: { id: known.task?.id ?? "", digest: known.task?.digest ?? "" },
    patch: { digest, files: [], ...(known.path === undefined ? {} : { path: known.path }) },
    verdict: null,
    layer: null,
    layers: {},
    notes: [],
    dropped: [],
    environment: {
      grader: version,
      compiler: "",
      cxxflags: {},
      harnessFlags: [],
      pipeline: "shared-objects",
      sandbox: { kind: "bubblewrap", limits: {} },
      seed: null,
      platform: `${process.platform}-${process.arch}`,
    },
    error: { exit, message: placed(fault, message), ...(hint === undefined ? {} : { hint }) },
    startedAt: new Date().toISOString(),
    durationMs: known.started === undefined ? 0 : Math.round(performance.now() - known.started),
    cached: false,
  };
}

function placed({ location }: GraderError, message: string): string {
  return location === undefined
    ? message
    : `${location.file}:${location.line}:${location.column}: ${message}`;
}
