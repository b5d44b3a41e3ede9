/** `grade`: one candidate, one word on standard output, everything else on standard error. */
import { grade } from "../grade/grade.ts";
import type { Candidate } from "../grade/request.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { GradeRecord } from "../model/record.ts";
import { redact, redactFault } from "../model/redact.ts";
import type { Task } from "../model/task.ts";
import { exitOf } from "../model/verdict.ts";
import { explain } from "../report/explain.ts";
import { reviewLines } from "../report/review.ts";
import type { Machine } from "../sandbox/machine.ts";
import { assertCalibrated } from "../task/certificate.ts";
import { asFault } from "./fault.ts";
import { gitDiff } from "./git-range.ts";
import { noteCalibration, openContext, openTask, withMachine } from "./open.ts";
import { readPatch } from "./patch-input.ts";
import { printPlan } from "./plan.ts";
import { gradeProgress, type Progress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";
import { readTree } from "./tree-input.ts";
import { hasRecord, type Known, ungradedRecord } from "./ungraded.ts";

/** Flags of `grade`, as they are parsed. */
export interface GradeFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly baseline?: boolean;
  readonly git?: string;
  readonly tree?: string;
  readonly seed?: number;
  readonly final?: boolean;
  readonly coverage?: boolean;
  readonly json?: boolean;
  readonly audience: "maintainer" | "agent";
  readonly plan?: boolean;
  readonly keep?: boolean;
  readonly referenceBuild?: boolean;
  readonly cache: boolean;
  readonly requireCalibrated?: boolean;
  readonly jobs?: number;
}

/** Grades what is named and gives the exit code. @throws GraderError */
export async function gradeCommand(patch: string | undefined, flags: GradeFlags, run: Run): Promise<number> {
  assertOneCandidate(patch, flags);
  assertShareable(flags);
  const record = await gradeNamed(patch, flags, run);
  return typeof record === "number" ? record : tell(record, flags);
}

/** The record, or the exit code where only the plan was wanted. With `--json` a fault is told there as well. */
async function gradeNamed(
  patch: string | undefined,
  flags: GradeFlags,
  run: Run,
): Promise<GradeRecord | number> {
  const progress = gradeProgress();
  const known: { -readonly [Key in keyof Known]: Known[Key] } = { started: performance.now(), path: patch };
  try {
    const bytes = patch === undefined ? undefined : await readPatch(patch, run.signal);
    if (bytes !== undefined) known.bytes = bytes;
    const task = await openTask(flags.task, flags.identity);
    known.task = task;
    assertKeepable(task, flags);
    if (flags.audience === "maintainer") writeErr(...task.notes.map((note) => `note: ${note}`));
    const record = await gradeTask(task, { patch, bytes }, flags, run, progress);
    if (flags.git !== undefined && typeof record !== "number") assertStartsHere(record, flags.git);
    return record;
  } catch (error) {
    const fault = asFault(error);
    if (flags.json && hasRecord(fault.exit)) await writeOut(jsonText(ungradedRecord(fault, known)));
    throw flags.audience === "agent" ? redactFault(fault) : fault;
  } finally {
    progress.stop();
  }
}

function assertOneCandidate(patch: string | undefined, { baseline, git, tree }: GradeFlags): void {
  const named = [patch, baseline ? "--baseline" : undefined, git, tree].filter((name) => name !== undefined);
  if (named.length === 1) return;
  throw new GraderError(
    ExitCode.usage,
    named.length === 0 ? "nothing to grade" : `one candidate at a time · ${named.join(" ")}`,
    { hint: "name a patch (- for standard input), or one of --baseline, --git RANGE, --tree DIR" },
  );
}

/** A diff that git made fits the sources that it began with, whoever wrote them. */
function assertStartsHere({ reason, message }: GradeRecord, range: string): void {
  if (reason !== "does-not-apply") return;
  throw new GraderError(
    65,
    `the task folder does not hold the sources that ${range} begins with · ${message ?? ""}`,
    {
      hint: "check out the first commit of the range (it may hold these changes already), then grade with the commits' names",
    },
  );
}

/** What would show the hidden layer can't be asked for on behalf of an agent. */
function assertShareable({ audience, json, plan, keep, final, coverage }: GradeFlags): void {
  if (audience !== "agent") return;
  const telling = {
    "--json": json,
    "--plan": plan,
    "--keep": keep,
    "--final": final,
    "--coverage": coverage,
  };
  const asked = Object.entries(telling).find(([, isAsked]) => isAsked);
  if (asked === undefined) return;
  throw new GraderError(ExitCode.usage, `${asked[0]} tells of the hidden layer · --audience agent`, {
    hint: "leave one of the two out",
  });
}

/** What is built from a sealed oracle may not stay behind in the clear. */
function assertKeepable(task: Task, { keep }: GradeFlags): void {
  if (!keep || !task.sealed) return;
  throw new GraderError(ExitCode.usage, "--keep would leave objects of a sealed oracle behind", {
    hint: "leave --keep out, or unseal the task first",
  });
}

interface Named {
  readonly patch: string | undefined;
  readonly bytes: Uint8Array | undefined;
}

async function gradeTask(
  task: Task,
  named: Named,
  flags: GradeFlags,
  run: Run,
  progress: Progress,
): Promise<GradeRecord | number> {
  const { jobs, keep, seed, final, coverage, referenceBuild } = flags;
  const wishes = { signal: run.signal, ...(jobs === undefined ? {} : { jobs }), keep: keep ?? false };
  const options = {
    ...(seed === undefined ? {} : { seed }),
    final: final ?? false,
    coverage: coverage ?? false,
    referenceBuild: referenceBuild ?? false,
  };
  if (flags.plan && flags.git === undefined)
    return printPlan(task, await candidateOf(task, named, flags), { ...options, json: flags.json ?? false });
  return withMachine(wishes, async (machine) => {
    const candidate = await candidateOf(task, named, flags, machine);
    if (flags.plan) return printPlan(task, candidate, { ...options, json: flags.json ?? false });
    if (keep) writeErr(`workspace: ${machine.workFolder}`);
    const how = { ...wishes, cache: flags.cache && !keep, onStep: progress.step };
    const context = await openContext(task, machine, how);
    if (flags.requireCalibrated) assertCalibrated(context.calibration);
    else if (flags.audience === "maintainer") noteCalibration(context);
    return grade(context, candidate, options);
  });
}

async function candidateOf(
  task: Task,
  { patch, bytes }: Named,
  { tree, git }: GradeFlags,
  machine?: Machine,
): Promise<Candidate> {
  if (patch !== undefined && bytes !== undefined) return { kind: "patch", bytes, path: patch };
  if (tree !== undefined) return { kind: "sources", files: readTree(task, tree), path: tree };
  if (git !== undefined && machine !== undefined)
    return { kind: "patch", bytes: await gitDiff(task, git, machine) };
  return { kind: "sources", files: task.sources };
}

/** Prints what a record says to whoever asked, and gives the exit code. */
async function tell(record: GradeRecord, { audience, json }: GradeFlags): Promise<number> {
  if (record.verdict === null) return tellUngraded(record, json ?? false, audience);
  if (audience === "agent") {
    const report = redact(record);
    if (report === null) throw new GraderError(ExitCode.tryAgain, "not judged");
    writeErr(...report.lines);
    await writeOut(`${report.word}\n`);
    return report.exit;
  }
  writeErr(...explain(record, paintFor(process.stderr), process.stderr.isTTY === true));
  writeErr(...reviewLines(record));
  await writeOut(json ? jsonText(record) : `${record.verdict}\n`);
  return exitOf[record.verdict];
}

/** A layer that could not be judged: no token, whatever the other says. */
async function tellUngraded(
  record: GradeRecord,
  json: boolean,
  audience: GradeFlags["audience"],
): Promise<number> {
  const layer = Object.values(record.layers).find((l) => l?.status === "error");
  const fault = new GraderError(ExitCode.tryAgain, layer?.detail ?? "a layer could not be judged", {
    hint: "try again",
  });
  if (audience === "agent") throw redactFault(fault);
  const { exit, message, hint } = fault;
  if (json) await writeOut(jsonText({ ...record, error: { exit, message, ...(hint ? { hint } : {}) } }));
  throw fault;
}

function jsonText(record: GradeRecord): string {
  return `${JSON.stringify(record, null, process.stdout.isTTY ? 2 : undefined)}\n`;
}
