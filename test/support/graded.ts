/** Grades through the command line and reads the record that it prints. */
import { expect } from "vitest";
import { type GradeRecord, recordSchema } from "../../src/model/record.ts";
import { type CliOptions, type CliResult, runCli } from "./cli.ts";

/** What to grade, and how. */
export interface GradeRequest extends CliOptions {
  /** Folder or manifest. */
  readonly task: string;
  /** Absent: the baseline. */
  readonly patch?: string;
  readonly flags?: readonly string[];
}

/** A run, and its record. */
export interface Graded {
  readonly run: CliResult;
  readonly record: GradeRecord;
}

/** Runs `grade --json`; fails the test unless stdout is one record in the published form. */
export async function gradeWithRecord(request: GradeRequest): Promise<Graded> {
  const what = request.patch ?? "--baseline";
  const args = ["grade", what, "--task", request.task, "--json", ...(request.flags ?? [])];
  const run = await runCli(args, request);
  const parsed = recordSchema.safeParse(jsonOf(run.stdout));
  if (!parsed.success)
    expect.fail(`no record, exit ${run.code}\n${run.stdout}\n${run.stderr}\n${parsed.error.message}`);
  return { run, record: parsed.data };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Why it came to its token, in a few words: the reason, or the cause of each layer that failed. */
export function whyOf(record: GradeRecord): string {
  if (record.reason !== undefined) return record.reason;
  const failed = Object.entries(record.layers).flatMap(([name, layer]) =>
    layer !== undefined && layer.status !== "pass" ? [`${name} ${layer.cause}`] : [],
  );
  return failed.join(", ") || "-";
}
