/** A run's folder: what was asked, answered and told, so that it can be gone on with and graded again. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type * as z from "zod/mini";
import { ExitCode, GraderError } from "../model/errors.ts";
import {
  type Answered,
  type AttemptLine,
  answeredSchema,
  attemptLineSchema,
  type RecordLine,
  type RunFile,
  recordLineSchema,
  runSchema,
} from "../model/transcript.ts";

const names = {
  run: "run.json",
  attempts: "attempts.jsonl",
  records: "records.jsonl",
  pending: "pending.json",
} as const;

/** Writes a run down as it goes. Every call is on disk when it returns. */
export interface Journal {
  /** An answer came: kept until it is judged. */
  answered(answered: Answered): void;
  attempt(line: AttemptLine): void;
  stopped(line: AttemptLine): void;
}

/** A run as it was left. */
export interface StoredRun {
  readonly run: RunFile;
  readonly lines: readonly AttemptLine[];
  readonly records: readonly RecordLine[];
  readonly pending: Answered | null;
}

/** Whether a folder holds a run. */
export function hasRun(folder: string): boolean {
  return existsSync(join(folder, names.run));
}

/** Makes the folder of a new run. @throws GraderError 64 when a run is there already, 75 when it can't be written. */
export function createRun(folder: string, run: RunFile): void {
  if (hasRun(folder))
    throw new GraderError(ExitCode.usage, `a run is there already · ${folder}`, {
      hint: "go on with it with --resume, or name another folder",
    });
  writing(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, names.attempts), "", { mode: 0o600 });
    // Last and in one step: a folder that has this file holds a run.
    writeStep(join(folder, names.run), `${JSON.stringify(run, null, 2)}\n`);
  });
}

/** The journal of a run's folder. */
export function openJournal(folder: string): Journal {
  const pending = join(folder, names.pending);
  const append = (line: AttemptLine) => {
    appendLine(folder, names.attempts, line);
    writing(folder, () => rmSync(pending, { force: true }));
  };
  return {
    attempt: append,
    stopped: append,
    answered: (answered) => writing(folder, () => writeStep(pending, JSON.stringify(answered))),
  };
}

/** Adds a line to the file of full records. */
export function appendRecord(folder: string, line: RecordLine): void {
  appendLine(folder, names.records, line);
}

function appendLine(folder: string, name: string, line: unknown): void {
  writing(folder, () => appendFileSync(join(folder, name), `${JSON.stringify(line)}\n`, { mode: 0o600 }));
}

function writeStep(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new GraderError(ExitCode.tryAgain, `the run's folder can't be written (${code}) · ${folder}`, {
      hint: "make room there, or name another folder with --run",
      cause,
    });
  }
}

/**
 * Reads a run. A last line that was cut short is dropped, and taken out of the file with `mend`.
 *
 * @throws GraderError 66 when there is no run, or something else in it is broken.
 */
export function readRun(folder: string, { mend }: { readonly mend: boolean }): StoredRun {
  const run = readJson(folder, names.run, runSchema);
  if (run === null)
    throw new GraderError(ExitCode.noInput, `no run in this folder · ${folder}`, {
      hint: `name a folder that holds ${names.run}`,
    });
  const lines = readLines(folder, names.attempts, attemptLineSchema, mend);
  const pending = readJson(folder, names.pending, answeredSchema);
  return {
    run,
    lines,
    records: readLines(folder, names.records, recordLineSchema, mend),
    // A run that was killed between the two writes leaves an answer that its line has already.
    pending: pending !== null && lines.some((line) => isOf(line, pending)) ? null : pending,
  };
}

function isOf(line: AttemptLine, { attempt, sample }: Answered): boolean {
  return line.kind === "attempt" && line.attempt === attempt && line.sample === sample;
}

function readText(folder: string, name: string): string | null {
  try {
    // Before opening: a pipe would block for ever, and a device never end.
    if (statSync(join(folder, name)).isFile()) return readFileSync(join(folder, name), "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new GraderError(ExitCode.noInput, `can't be read (${code}) · ${join(folder, name)}`, { cause });
  }
  throw broken(join(folder, name), "no regular file");
}

function readJson<T>(folder: string, name: string, schema: z.ZodMiniType<T>): T | null {
  const text = readText(folder, name);
  return text === null ? null : read(text, schema, join(folder, name));
}

function readLines<T>(folder: string, name: string, schema: z.ZodMiniType<T>, mend: boolean): T[] {
  const text = readText(folder, name) ?? "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (mend && whole !== text)
    writing(folder, () => truncateSync(join(folder, name), Buffer.byteLength(whole)));
  return whole
    .split("\n")
    .slice(0, -1)
    .map((line, at) => read(line, schema, `${join(folder, name)}:${at + 1}`));
}

function read<T>(text: string, schema: z.ZodMiniType<T>, where: string): T {
  try {
    const result = schema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw broken(where, `${issue?.path.join(".") || "it"}: ${issue?.message ?? "not as it should be"}`);
  } catch (error) {
    if (error instanceof SyntaxError) throw broken(where, "not JSON");
    throw error;
  }
}

function broken(where: string, what: string): GraderError {
  return new GraderError(ExitCode.noInput, `the run is damaged · ${where} · ${what}`, {
    hint: "repair that line or take it out; the others stay good",
  });
}
