/** `loop --replay`: grades the recorded answers of a run again, with no model, and holds them against the record. */
import { resolve } from "node:path";
import type { GradeContext } from "../grade/context.ts";
import { grade } from "../grade/grade.ts";
import { patchFromAnswer } from "../loop/answer.ts";
import { readRun, type StoredRun } from "../loop/run-folder.ts";
import type { Brief } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { GradeRecord } from "../model/record.ts";
import { redact } from "../model/redact.ts";
import { bestToken } from "../model/run-end.ts";
import type { Attempt } from "../model/transcript.ts";
import { exitOf, type Token } from "../model/verdict.ts";
import { briefOf } from "../task/brief.ts";
import { openContext, openTask, withMachine } from "./open.ts";
import { gradeProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { writeErr, writeOut } from "./terminal.ts";

interface ReplayFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly jobs?: number;
  readonly json?: boolean;
}

/** One answer graded again. */
interface Replayed {
  readonly attempt: number;
  readonly sample: number;
  readonly recorded: string;
  readonly now: string;
}

/** Gives the token's exit code, or 6 where something differs. @throws GraderError */
export async function replayCommand(named: string, flags: ReplayFlags, run: Run): Promise<number> {
  const stored = readRun(resolve(named), { mend: false });
  const task = await openTask(flags.task ?? stored.run.task.path, flags.identity);
  if (task.digest !== stored.run.task.digest)
    writeErr("note: the task has changed since the run; verdicts may differ for that reason");
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  const progress = gradeProgress();
  try {
    progress.step("grading again");
    const rows = await withMachine(wishes, async (machine) =>
      replayAll(await openContext(task, machine, { ...wishes, many: true, cache: false }), stored),
    );
    progress.stop();
    return await tellReplay(rows, flags.json ?? false);
  } finally {
    progress.stop();
  }
}

interface Rows {
  readonly rows: readonly Replayed[];
  readonly token: Token;
}

async function replayAll(context: GradeContext, { run, lines, records }: StoredRun): Promise<Rows> {
  const attempts = lines.filter((line) => line.kind === "attempt");
  const brief = briefOf(context.task);
  const isModel = run.config.baseUrl !== undefined;
  const graded = new Map<string, Promise<GradeRecord>>();
  const rows: Replayed[] = [];
  const verdicts: Token[] = [];
  for (const attempt of attempts) {
    const patch = isModel ? patchOf(attempt, brief) : attempt.patch;
    const record = patch === null ? null : await gradeOnce(context, patch, graded);
    const kept = records.find(
      (line) =>
        line.kind === "record" &&
        isSamePlace(line, attempt) &&
        line.final === (attempt.shown.word === "pass" && hasReserve(context)),
    );
    const recorded = kept?.kind === "record" ? kept.record.verdict : null;
    if (record?.verdict) verdicts.push(record.verdict);
    rows.push({
      attempt: attempt.attempt,
      sample: attempt.sample,
      recorded: recorded ?? attempt.shown.word,
      now: (recorded === null ? wordOf(record) : record?.verdict) ?? "no verdict",
    });
  }
  return { rows, token: bestToken(verdicts) ?? "REJECTED" };
}

function patchOf({ answer, isCut }: Attempt, brief: Brief): string | null {
  const found = patchFromAnswer(answer, brief, isCut);
  return found.status === "patch" ? found.patch : null;
}

function hasReserve({ task }: GradeContext): boolean {
  return task.layers.reserve.length > 0;
}

function isSamePlace(
  a: { attempt: number; sample: number },
  b: { attempt: number; sample: number },
): boolean {
  return a.attempt === b.attempt && a.sample === b.sample;
}

/** The same patch once; the reserve layer too, since the run has judged it for what passed. */
function gradeOnce(context: GradeContext, patch: string, graded: Map<string, Promise<GradeRecord>>) {
  const known =
    graded.get(patch) ?? grade(context, { kind: "patch", bytes: Buffer.from(patch) }, { final: true });
  graded.set(patch, known);
  return known;
}

function wordOf(record: GradeRecord | null): string | undefined {
  return record === null ? "rejected" : redact(record)?.word;
}

async function tellReplay({ rows, token }: Rows, json: boolean): Promise<number> {
  if (rows.length === 0)
    throw new GraderError(ExitCode.noInput, "the run holds no answer that was judged", {
      hint: "go on with --resume",
    });
  const differing = rows.filter(({ recorded, now }) => recorded !== now);
  for (const { attempt, sample, recorded, now } of rows)
    writeErr(`attempt ${attempt}.${sample} · ${now}${recorded === now ? "" : ` · recorded as ${recorded}`}`);
  writeErr(
    differing.length === 0
      ? "all as recorded"
      : `${differing.length} of ${rows.length} differ from the record`,
  );
  await writeOut(json ? `${JSON.stringify({ token, rows })}\n` : `${token}\n`);
  return differing.length === 0 ? exitOf[token] : ExitCode.findings;
}
