/** What a batch is to grade: paths, folders and globs of patches, and rows of JSONL, in order. */
import { createReadStream, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import * as z from "zod/mini";
import { GraderError } from "../model/errors.ts";
import { type Token, tokens } from "../model/verdict.ts";
import { type Line, linesOf } from "./lines.ts";

/** One thing to grade. */
export interface BatchInput {
  /** The row's own id, or the path as it was given. */
  readonly id: string;
  readonly content:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "fault"; readonly fault: GraderError };
  /** Absolute; absent for the batch's own task. */
  readonly task?: string;
  readonly expected?: Token;
}

/** A file of rows (null for standard input) or a list of patches. */
export type InputSource =
  | { readonly kind: "rows"; readonly file: string | null }
  | { readonly kind: "patches"; readonly paths: readonly string[] };

/** What the arguments name, checked to be there. @throws GraderError 66 */
export function sourcesOf(args: readonly string[]): InputSource[] {
  return args.flatMap((arg): InputSource[] => {
    if (arg === "-") return [{ kind: "rows", file: null }];
    const stat = statSync(arg, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return [{ kind: "patches", paths: patchesIn(arg) }];
    if (stat) return [sourceOfFile(arg)];
    const found = isDynamicPattern(arg)
      ? globSync(arg, { expandDirectories: false, absolute: arg.startsWith("/") }).sort()
      : [];
    if (found.length > 0) return found.map(sourceOfFile);
    throw new GraderError(66, `no such patch, folder or .jsonl file · ${arg}`, {
      hint: "check the path; quote a glob so that the shell leaves it alone",
    });
  });
}

function sourceOfFile(path: string): InputSource {
  if (!/\.(jsonl|ndjson)$/.test(path)) return { kind: "patches", paths: [path] };
  // Rows are counted first, and no pipe can be read twice; one without a writer would be waited for for ever.
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { kind: "rows", file: path };
  throw new GraderError(66, `the file of rows is no regular file · ${path}`, {
    hint: "name - and send the rows to standard input",
  });
}

function patchesIn(folder: string): string[] {
  const found = globSync("**/*.{diff,patch}", { cwd: folder, followSymbolicLinks: false }).sort();
  if (found.length > 0) return found.map((path) => join(folder, path));
  throw new GraderError(66, `the folder holds no .diff or .patch files · ${folder}`, {
    hint: "name the patches one by one if they end otherwise",
  });
}

/** How many inputs there are, or undefined where standard input is among them. */
export async function countInputs(sources: readonly InputSource[]): Promise<number | undefined> {
  let count = 0;
  for (const source of sources) {
    if (source.kind === "patches") count += source.paths.length;
    else if (source.file === null) return undefined;
    else
      for await (const { text } of linesOf(createReadStream(source.file))) if (text?.trim() !== "") count++;
  }
  return count;
}

/** All inputs, read as they are needed. */
export async function* inputsOf(
  sources: readonly InputSource[],
  signal: AbortSignal,
): AsyncGenerator<BatchInput> {
  for (const source of sources) {
    if (source.kind === "patches")
      for (const path of source.paths) yield { id: path, content: { kind: "file", path } };
    else yield* rowsOf(source.file, signal);
  }
}

async function* rowsOf(file: string | null, signal: AbortSignal): AsyncGenerator<BatchInput> {
  const stream = file === null ? process.stdin : createReadStream(file);
  const stop = () => stream.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const around = { name: file ?? "stdin", folder: file === null ? process.cwd() : dirname(file) };
  try {
    for await (const line of linesOf(stream)) if (line.text?.trim() !== "") yield inputOfRow(line, around);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const rowSchema = z.object({
  id: z.union([z.string(), z.number()]),
  task: z.optional(z.string()),
  patch: z.optional(z.string()),
  patchFile: z.optional(z.string()),
  expected: z.optional(z.enum(tokens)),
});

/** One row as an input; whatever is wrong with it is in its content. */
export function inputOfRow(
  line: Pick<Line, "number" | "text">,
  around: { name: string; folder: string },
): BatchInput {
  const place = `${basename(around.name)}:${line.number}`;
  const bad = (what: string, id = place): BatchInput => {
    const location = { file: around.name, line: line.number, column: 1 };
    const fault = new GraderError(66, `the row can't be read · ${what}`, {
      location,
      hint: 'a row is {"id", "task"?, "patch" or "patchFile", "expected"?}',
    });
    return { id, content: { kind: "fault", fault } };
  };
  if (line.text === null) return bad("longer than 64 MiB");
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return bad(`not JSON: ${(error as Error).message}`);
  }
  const row = rowSchema.safeParse(value);
  if (!row.success) return bad(firstIssue(row.error.issues), idIn(value));
  const { id, task, patch, patchFile, expected } = row.data;
  if ((patch === undefined) === (patchFile === undefined))
    return bad('it needs either "patch" or "patchFile"', String(id));
  return {
    id: String(id),
    content:
      patch === undefined
        ? { kind: "file", path: resolve(around.folder, patchFile ?? "") }
        : { kind: "text", text: patch },
    ...(task === undefined ? {} : { task: resolve(around.folder, task) }),
    ...(expected === undefined ? {} : { expected }),
  };
}

function firstIssue(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  const key = issue?.path.join(".");
  return key ? `"${key}": ${issue?.message}` : (issue?.message ?? "not an object");
}

function idIn(value: unknown): string | undefined {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
