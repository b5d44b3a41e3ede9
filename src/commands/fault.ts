/** Whatever was thrown → one GraderError, and its few lines on standard error. */
import { GraderError } from "../model/errors.ts";
import type { Paint } from "../report/paint.ts";
import { paintFor, writeErr } from "./terminal.ts";

/** Errors of the system that pass by themselves or with a little room, in plain words. */
const passing: Readonly<Record<string, string>> = {
  ENOSPC: "no space left",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
  ENOMEM: "the machine ran out of memory",
  EAGAIN: "the machine has no room for another process",
};

/** A GraderError as it is; an error of the system as 75; anything else as our own fault, 70. */
export function asFault(error: unknown): GraderError {
  if (error instanceof GraderError) return error;
  const { code, path, message } = (error ?? {}) as { code?: string; path?: string; message?: string };
  const words = code === undefined ? undefined : passing[code];
  if (words !== undefined)
    return new GraderError(75, `${words} · ${path ?? code}`, {
      hint: "make room there (or name other folders with TMPDIR and HIDDEN_ORACLE_CACHE), then try again",
      cause: error,
    });
  const first = (message ?? String(error)).split("\n")[0] ?? "";
  return new GraderError(70, `internal error · ${first}`, {
    hint: "run again with HIDDEN_ORACLE_DEBUG=1 for the stack, and report it",
    cause: error,
  });
}

/** What people read of a fault: place, message, hint. */
export function faultLines(fault: GraderError, paint: Paint): string[] {
  const { location, message, hint } = fault;
  const place =
    location === undefined ? "hidden-oracle:" : `${location.file}:${location.line}:${location.column}:`;
  const head = `${paint.red(paint.bold(harmless(place)))} ${harmless(message)}`;
  return hint === undefined ? [head] : [head, `${paint.cyan("hint:")} ${harmless(hint)}`];
}

/** A path of somebody's transcript or task may hold what a terminal obeys. */
function harmless(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Tells of a fault on standard error and gives the exit code for it. */
export function reportFault(error: unknown): number {
  const fault = asFault(error);
  writeErr(...faultLines(fault, paintFor(process.stderr)));
  const origin = fault.cause ?? fault;
  if (process.env.HIDDEN_ORACLE_DEBUG && origin instanceof Error) writeErr(origin.stack ?? String(origin));
  return fault.exit;
}
