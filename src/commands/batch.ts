/** `batch`: many patches, one record a line in the order of the inputs, and the table of how they fail. */
import { ExitCode, GraderError } from "../model/errors.ts";
import { type Expectation, expectationTable, isMet } from "../report/expectation.ts";
import { failModeTable, type Summary, Tally } from "../report/fail-modes.ts";
import type { Machine } from "../sandbox/machine.ts";
import { BatchGrader, type BatchResult } from "./batch-grader.ts";
import { countInputs, type InputSource, inputsOf, sourcesOf } from "./batch-inputs.ts";
import { OutFile, resumeFrom } from "./batch-out.ts";
import { inOrder } from "./in-order.ts";
import { openCache, withMachine } from "./open.ts";
import { batchProgress, type Progress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

/** Flags of `batch`, as they are parsed. */
export interface BatchFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly out?: string;
  readonly resume?: boolean;
  readonly expect?: boolean;
  readonly table?: boolean;
  readonly json?: boolean;
  readonly referenceBuild?: boolean;
  readonly requireCalibrated?: boolean;
  readonly cache: boolean;
  readonly jobs?: number;
}

/** Grades everything that is named and gives the exit code. @throws GraderError */
export async function batchCommand(paths: readonly string[], flags: BatchFlags, run: Run): Promise<number> {
  if (flags.resume && flags.out === undefined)
    throw new GraderError(ExitCode.usage, "--resume needs a file to go on with", { hint: "add --out FILE" });
  const sources = sourcesOf(paths);
  const total = await countInputs(sources);
  const known = flags.resume && flags.out !== undefined ? await resumeFrom(flags.out) : new Map();
  const file = flags.out === undefined ? undefined : new OutFile(flags.out);
  const seen = new Seen();
  const progress = batchProgress(() => ({ done: seen.tally.total, total }));
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  try {
    const isRead = await withMachine(wishes, (machine) =>
      gradeAll({ machine, sources, known, flags, run, seen, progress, file }),
    );
    if (!isRead) return ExitCode.interrupted;
  } finally {
    progress.stop();
    file?.[Symbol.dispose]();
    if (seen.tally.total > 0) await printTables(seen, flags);
  }
  return seen.exit(flags.expect ?? false);
}

interface Batch {
  readonly machine: Machine;
  readonly sources: readonly InputSource[];
  readonly known: ReadonlyMap<string, Summary>;
  readonly flags: BatchFlags;
  readonly run: Run;
  readonly seen: Seen;
  readonly progress: Progress;
  readonly file: OutFile | undefined;
}

/** False when whoever reads the records has gone. */
async function gradeAll({
  machine,
  sources,
  known,
  flags,
  run,
  seen,
  progress,
  file,
}: Batch): Promise<boolean> {
  const grader = new BatchGrader({
    machine,
    cache: openCache(),
    signal: run.signal,
    task: flags.task,
    identity: flags.identity,
    reuse: flags.cache,
    referenceBuild: flags.referenceBuild ?? false,
    requireCalibrated: flags.requireCalibrated ?? false,
    known,
  });
  // A bad task of the batch itself ends it at once; one that a single row names is that row's fault.
  if (sources.some(({ kind }) => kind === "patches")) await grader.contextOf();
  // Two more than there are sandboxes, so that reading, writing and what comes between two sandboxes leave none idle.
  const flow = { inFlight: machine.jobs + 2, window: 64 + machine.jobs };
  for await (const result of inOrder(inputsOf(sources, run.signal), flow, (input) => grader.result(input))) {
    seen.add(result, flags.expect ?? false);
    if (!result.record) continue;
    if (file) {
      file.append(result.record);
      continue;
    }
    if (tableOnly(flags)) continue;
    progress.clear();
    if (!(await writeOut(`${JSON.stringify(result.record)}\n`))) return false;
  }
  return true;
}

/** On a terminal, expectations are for people: the table, not the records. */
function tableOnly({ table, expect, out, json }: BatchFlags): boolean {
  if (table) return true;
  return expect === true && !json && out === undefined && process.stdout.isTTY === true;
}

/** What is remembered of all results: counts, and with `--expect` a line each. */
class Seen {
  readonly tally = new Tally();
  readonly expectations: Expectation[] = [];
  #taskFaults = 0;

  add({ input, record, summary, expected }: BatchResult, expect: boolean): void {
    this.tally.add(summary);
    if (record?.error?.exit === ExitCode.badTask) this.#taskFaults++;
    if (!expect) return;
    const { visible, hidden, why } = summary;
    const cause = why ?? [visible, hidden].find((word) => word !== undefined && word !== "pass");
    this.expectations.push({ patch: input.id, expected, actual: summary.verdict, why: cause });
  }

  exit(expect: boolean): number {
    if (this.#taskFaults > 0) return ExitCode.badTask;
    if (this.tally.graded < this.tally.total) return ExitCode.tryAgain;
    return expect && !this.expectations.every(isMet) ? ExitCode.findings : 0;
  }
}

async function printTables({ tally, expectations }: Seen, flags: BatchFlags): Promise<void> {
  const toOut = tableOnly(flags);
  const paint = paintFor(toOut ? process.stdout : process.stderr);
  const tables = [failModeTable(tally, paint)];
  if (flags.expect) tables.unshift(expectationTable(expectations, paint));
  const text = tables.map((lines) => lines.join("\n")).join("\n\n");
  if (toOut) await writeOut(`${text}\n`);
  else writeErr(text);
}
