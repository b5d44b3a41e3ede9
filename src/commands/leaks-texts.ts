/** The texts that `leaks` is given: files, folders, transcripts, standard input. */
import { createReadStream, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { GraderError } from "../model/errors.ts";
import { jsonStrings } from "./leaks-json.ts";
import { linesOf } from "./lines.ts";
import { readSmall } from "./read-small.ts";

/** One text to look through. */
export interface LeakText {
  /** As it was given, or as it lies below a folder that was given. */
  readonly file: string;
  /** Where in a transcript, as in `$.messages[3].content`. */
  readonly path?: string;
  /** The line of a JSONL file. */
  readonly row?: number;
  /** The commit that brought it in. */
  readonly commit?: string;
  readonly text: string;
}

/** What was not looked through, and why. */
export interface Skipped {
  readonly file: string;
  readonly why: string;
  /** Whether the answer is in doubt for it, as for a file that may not be read. */
  readonly isFault: boolean;
}

/** The largest file that is looked through. */
export const largest = 64 * 1024 * 1024;

/** Hands over what can't be looked through. */
export type OnSkip = (skipped: Skipped) => void;

/** Checked before anything is read. @throws GraderError 66 when a name leads nowhere. */
export function assertThere(names: readonly string[]): void {
  for (const name of names) {
    if (name === "-" || statSync(name, { throwIfNoEntry: false }) !== undefined) continue;
    throw new GraderError(66, `no such file or folder · ${name}`, {
      hint: "check the path; --task takes the word after it for its folder",
    });
  }
}

/** All texts of what the names stand for, read as they are needed. */
export async function* textsOf(
  names: readonly string[],
  isExcluded: (path: string) => boolean,
  onSkip: OnSkip,
): AsyncGenerator<LeakText> {
  for (const name of names) {
    if (name === "-") yield* readStandardInput(onSkip);
    else {
      // Of what is named the caller wants an answer; in a folder there may be whatever there is.
      const isNamed = !statSync(name).isDirectory();
      const skip: OnSkip = (skipped) => onSkip(isNamed ? { ...skipped, isFault: true } : skipped);
      for (const file of filesOf(name, isExcluded, onSkip)) yield* readTexts(file, skip);
    }
  }
}

/** Links below a folder are not followed; `.git` is for `--git`. */
function* filesOf(name: string, isExcluded: (path: string) => boolean, onSkip: OnSkip): Generator<string> {
  if (!statSync(name).isDirectory()) {
    if (!isExcluded(name)) yield name;
    return;
  }
  const folders = [name];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const below: string[] = [];
    for (const entry of entriesOf(folder, onSkip)) {
      const path = join(folder, entry);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (isExcluded(path) || entry === ".git") continue;
      if (stat?.isDirectory()) below.push(path);
      else if (stat?.isFile()) yield path;
    }
    folders.push(...below.reverse());
  }
}

function entriesOf(folder: string, onSkip: OnSkip): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    onSkip(unreadable(folder, error));
    return [];
  }
}

async function* readTexts(file: string, onSkip: OnSkip): AsyncGenerator<LeakText> {
  try {
    if (/\.(?:jsonl|ndjson)$/i.test(file)) {
      if (statSync(file).isFile()) return yield* readRows(file, onSkip);
    }
    const size = statSync(file).size;
    if (size > largest) return onSkip(tooLarge(file, size));
    yield* textsIn(file, readSmall(file, largest), onSkip);
  } catch (error) {
    if (error instanceof GraderError) return onSkip({ file, why: "no file that can be read", isFault: true });
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    onSkip(unreadable(file, error));
  }
}

async function* readRows(file: string, onSkip: OnSkip): AsyncGenerator<LeakText> {
  for await (const { text, number } of linesOf(createReadStream(file), largest)) {
    if (text === null) onSkip(tooLarge(`${file}:${number}`, largest + 1));
    else yield* rowTexts(file, text, number);
  }
}

function rowTexts(file: string, line: string, row: number): LeakText[] {
  const value = parsed(line);
  if (value === undefined) return line.trim() === "" ? [] : [{ file, row, text: line }];
  return jsonStrings(value).map(({ path, text }) => ({ file, row, path, text }));
}

async function* readStandardInput(onSkip: OnSkip): AsyncGenerator<LeakText> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest)
      throw new GraderError(66, "standard input is larger than 64 MiB", {
        hint: "give it as a file of JSON lines, or in parts",
      });
    chunks.push(chunk);
  }
  yield* textsIn("-", Buffer.concat(chunks), onSkip);
}

/** A file's bytes as one text, or as the strings of its JSON. */
export function textsIn(file: string, bytes: Buffer, onSkip: OnSkip): LeakText[] {
  const text = decoded(bytes);
  if (text === undefined) {
    onSkip({ file, why: "binary", isFault: false });
    return [];
  }
  if (!/^\s*[[{"]/.test(text)) return [{ file, text }];
  const value = parsed(text);
  if (value !== undefined)
    return jsonStrings(value).map(({ path, text: inner }) => ({ file, path, text: inner }));
  const lines = text.split("\n");
  const isRows = lines.length > 1 && parsed(lines[0] ?? "") !== undefined;
  return isRows ? lines.flatMap((line, i) => rowTexts(file, line, i + 1)) : [{ file, text }];
}

/** UTF-16 where it says so, UTF-8 otherwise, whatever is wrong with it; undefined for what is no text. */
function decoded(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString("utf16le");
  return bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function tooLarge(file: string, size: number): Skipped {
  return { file, why: `${Math.ceil(size / 1024 / 1024)} MiB, over 64`, isFault: false };
}

function unreadable(file: string, error: unknown): Skipped {
  return { file, why: `can't be read (${(error as NodeJS.ErrnoException).code})`, isFault: true };
}
