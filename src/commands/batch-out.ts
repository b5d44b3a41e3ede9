/** The records of a batch in a file, one a line: appended whole or not at all, and read again to go on after a crash. */
import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { GraderError } from "../model/errors.ts";
import { type GradeRecord, recordSchema } from "../model/record.ts";
import { type Summary, summaryOf } from "../report/fail-modes.ts";
import { linesOf } from "./lines.ts";

/** What names a grade in a file of records. */
export function recordKey(id: string, patchDigest: string, taskDigest: string): string {
  return `${id}\0${patchDigest}\0${taskDigest}`;
}

/** A file that records are appended to. */
export class OutFile implements Disposable {
  readonly #fd: number;
  readonly #isFile: boolean;

  /** @throws GraderError 64 when it can't be written, or ends in the middle of a line. */
  constructor(path: string) {
    this.#fd = openToAppend(path);
    this.#isFile = fstatSync(this.#fd).isFile();
    if (!this.#isFile || endsWhole(path)) return;
    closeSync(this.#fd);
    throw new GraderError(64, `the last line of the file is torn · ${path}`, {
      hint: "add --resume: it takes the torn line away and goes on",
    });
  }

  append(record: GradeRecord): void {
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
    const before = this.#isFile ? fstatSync(this.#fd).size : 0;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      // A full disk may have taken half of the line.
      if (this.#isFile) ftruncateSync(this.#fd, before);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

function openToAppend(path: string): number {
  try {
    return openSync(path, "a");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    throw new GraderError(64, `the file of --out can't be written (${code}) · ${path}`, {
      hint: "name a file in a folder that exists and can be written",
      cause: error,
    });
  }
}

function endsWhole(path: string): boolean {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 10);
  } finally {
    closeSync(fd);
  }
}

/**
 * What an earlier run left in the file, by {@link recordKey}. Takes away a torn last line and the records
 * without a verdict, which are to be tried again.
 */
export async function resumeFrom(path: string): Promise<Map<string, Summary>> {
  const known = new Map<string, Summary>();
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return known;
  let [whole, retries] = [0, 0];
  for await (const { text, end, isWhole } of linesOf(createReadStream(path))) {
    if (!isWhole) break;
    whole = end;
    const record = parseRecord(text);
    if (record?.verdict === null) retries++;
    else if (record)
      known.set(recordKey(record.id, record.patch.digest, record.task.digest), summaryOf(record));
  }
  truncateSync(path, whole);
  if (retries > 0) await withoutUngraded(path);
  return known;
}

async function withoutUngraded(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const fd = openSync(draft, "w");
  try {
    for await (const { text } of linesOf(createReadStream(path)))
      if (text !== null && parseRecord(text)?.verdict !== null) writeSync(fd, `${text}\n`);
    closeSync(fd);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Undefined for a line that is none of our records: it is left where it is. */
function parseRecord(text: string | null): GradeRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text ?? "")).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
