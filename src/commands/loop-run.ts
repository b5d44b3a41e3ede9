/** One run of the loop, wired: model or agent, judge, ledger, scan, and the run's folder. */
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { openAgentJudge } from "../grade/agent-judge.ts";
import type { GradeContext } from "../grade/context.ts";
import type { Hints } from "../loop/feedback.ts";
import { type LoopDeps, type LoopState, runLoop } from "../loop/loop.ts";
import { appendRecord, openJournal, type StoredRun } from "../loop/run-folder.ts";
import { briefMessages, promptDigest } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import { defaultQueryBudget, type Ledger } from "../model/ledger.ts";
import type { GradeRecord, RecordedLayer } from "../model/record.ts";
import type { AgentReport } from "../model/redact.ts";
import { needsRepair, settledEnd, tokenOfRun } from "../model/run-end.ts";
import type { Task } from "../model/task.ts";
import {
  type Attempt,
  type EndReason,
  type RecordLine,
  type RunConfig,
  type RunFile,
  transcriptVersion,
} from "../model/transcript.ts";
import type { Token } from "../model/verdict.ts";
import { version } from "../model/version.ts";
import { holdName } from "../sandbox/sole-holder.ts";
import { briefOf } from "../task/brief.ts";

/** What one run needs from its command. */
export interface RunParts extends Pick<LoopDeps, "propose" | "scan" | "signal" | "onOracleHeld"> {
  readonly context: GradeContext;
  readonly folder: string;
  readonly stored: StoredRun;
  readonly ledger: Ledger;
  /** The last measured mutation score of the oracle, 0 to 1. */
  readonly strength: number | null;
  readonly onStep?: (what: string) => void;
  readonly onAttempt?: (attempt: Attempt, labels: { given: number; budget: number; all: number }) => void;
  readonly onDoubt?: (where: string) => void;
}

/** How a run ended. */
export interface RunEnd {
  readonly token: Token;
  readonly reason: EndReason;
  readonly attempts: readonly Attempt[];
}

/** What is written down of a new run. */
export function runFileOf(task: Task, config: RunConfig): RunFile {
  return {
    schemaVersion: transcriptVersion,
    id: randomUUID(),
    createdAt: new Date().toISOString(),
    grader: version,
    task: { id: task.id, path: task.manifestPath, digest: task.digest },
    config,
  };
}

/** What was told before would not fit a task that has changed. @throws GraderError 65 */
export function assertSameTask({ run }: StoredRun, task: Task): void {
  if (run.task.digest === task.digest) return;
  throw new GraderError(ExitCode.badTask, `the task has changed since the run began · ${task.manifestPath}`, {
    hint: "start a new run, or put the task back as it was",
  });
}

/** Tokens of all answers, and their cost where prices were given. */
export function spentOn(attempts: readonly Attempt[]): {
  readonly tokens: number;
  readonly cost: number | null;
} {
  const costs = attempts.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    tokens: attempts.reduce((sum, { tokens }) => sum + tokens.prompt + tokens.completion, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

/** Labels that one run may learn about the task's oracle. */
export function queryBudgetOf(task: Task, strength: number | null): number {
  return task.manifest.queryBudget ?? defaultQueryBudget(strength);
}

/** What is said where the measured strength leaves a single label, and how to have more; nothing else. */
export function smallBudgetWarning({ manifest }: Task, budget: number): string[] {
  if (budget > 1 || manifest.queryBudget !== undefined) return [];
  return [
    "warning: the oracle's strength allows one label, after which the run ends",
    "hint: strengthen the oracle, as `hidden-oracle strength` shows, and measure it again; or set queryBudget in the manifest",
  ];
}

/** What is said of an answer that holds the oracle. */
export function heldWarning(attempt: string): string {
  return `warning: attempt ${attempt} holds the oracle: don't share this transcript`;
}

/** Works on a run's folder while nobody else on this machine does. @throws GraderError 75 while another process is at it. */
export async function aloneInRun<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const held = await holdName(`run · ${existsSync(folder) ? realpathSync(folder) : folder}`);
  if (held === null)
    throw new GraderError(ExitCode.tryAgain, `another process is at this run · ${folder}`, {
      hint: "wait for it to end",
    });
  try {
    return await work();
  } finally {
    held.close();
  }
}

/** Goes on with a run until it ends, and writes down how. @throws GraderError */
export async function driveRun(parts: RunParts): Promise<RunEnd> {
  const { stored, folder } = parts;
  const records = [...stored.records];
  const attempts = stored.lines.filter((line) => line.kind === "attempt");
  const settled = settledEnd(records);
  if (settled !== undefined) return { ...settled, attempts };
  const state: LoopState = { attempts, pending: stored.pending };
  const write = (line: RecordLine) => {
    appendRecord(folder, line);
    records.push(line);
  };
  // A candidate that was judged and not told yet is told first.
  const reason =
    stored.pending === null && needsRepair(records)
      ? "repair-the-oracle"
      : await runLoop(depsOf(parts, state, write), stored.run.config, state);
  const token = tokenOfRun(records, attempts.length, reason);
  write({ kind: "end", at: new Date().toISOString(), reason, token });
  return { token, reason, attempts };
}

function depsOf(parts: RunParts, state: LoopState, write: (line: RecordLine) => void): LoopDeps {
  const { context, folder, stored, propose, scan, signal, onStep, onDoubt, onOracleHeld, onAttempt } = parts;
  const { task } = context;
  const { id, config } = stored.run;
  const first = briefMessages(briefOf(task), config.system ?? undefined);
  const judge = openAgentJudge({
    context,
    ledger: parts.ledger,
    caller: "loop",
    lineage: { model: config.model, prompt: promptDigest(first), run: id },
    budget: queryBudgetOf(task, parts.strength),
    known: knownOf(state.attempts),
    judged: stored.records.filter((line) => line.kind === "record"),
    onRecord: (record, final) => {
      const { attempt, sample } = state.pending ?? state.attempts.at(-1) ?? { attempt: 1, sample: 1 };
      write({ kind: "record", attempt, sample, final, record: task.sealed ? withoutOracle(record) : record });
    },
  });
  return {
    first,
    hints: hintsOf(task),
    propose,
    judge,
    scan,
    signal,
    journal: openJournal(folder),
    ...(onStep === undefined ? {} : { onStep }),
    ...(onDoubt === undefined ? {} : { onDoubt }),
    ...(onOracleHeld === undefined ? {} : { onOracleHeld }),
    onAttempt: (attempt) => onAttempt?.(attempt, judge.labels()),
  };
}

/** What a sealed oracle says stays out of files: of its layers only what they came to is kept. */
function withoutOracle(record: GradeRecord): GradeRecord {
  const { hidden, reserve, ...shown } = record.layers;
  const bare = (layer: RecordedLayer | undefined): RecordedLayer | undefined => {
    if (layer === undefined) return undefined;
    const { findings: _findings, detail: _detail, ...rest } = layer;
    return rest.status === "pass" ? rest : { ...rest, detail: "sealed" };
  };
  return { ...record, layers: { ...shown, hidden: bare(hidden), reserve: bare(reserve) } };
}

function knownOf(attempts: readonly Attempt[]): [string, AgentReport][] {
  return attempts.flatMap(({ sources, shown }) =>
    sources === null ? [] : [[sources, { ...shown, exit: 0 }]],
  );
}

/** The manifest's hints by the words that a reader is told. FAIL_VISIBLE has no word of its own. */
export function hintsOf({ manifest: { hints } }: Task): Hints {
  const { OVERFIT, FAIL_BOTH, REJECTED } = hints;
  return {
    ...(OVERFIT === undefined ? {} : { overfit: OVERFIT }),
    ...(FAIL_BOTH === undefined ? {} : { "visible failed": FAIL_BOTH, "build failed": FAIL_BOTH }),
    ...(REJECTED === undefined ? {} : { rejected: REJECTED }),
  };
}
