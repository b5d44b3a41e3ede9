/** One run of the loop, wired: model or agent, judge, ledger, scan, and the run's folder. */
import { randomUUID } from "node:crypto";
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
import { briefOf } from "../task/brief.ts";

/** What one run needs from its command. */
export interface RunParts extends Pick<LoopDeps, "propose" | "scan" | "signal"> {
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

/** Goes on with a run until it ends, and writes down how. @throws GraderError */
export async function driveRun(parts: RunParts): Promise<RunEnd> {
  const { context, folder, stored, onAttempt, signal } = parts;
  const { task } = context;
  const { config } = stored.run;
  const brief = briefOf(task);
  const first = briefMessages(brief, config.system ?? undefined);
  const records = [...stored.records];
  const attempts = stored.lines.filter((line) => line.kind === "attempt");
  const state: LoopState = { attempts, pending: stored.pending };
  const place = () => {
    const { attempt, sample } = state.pending ?? state.attempts.at(-1) ?? { attempt: 1, sample: 1 };
    return { attempt, sample };
  };
  const write = (line: RecordLine) => {
    appendRecord(folder, line);
    records.push(line);
  };
  const judge = openAgentJudge({
    context,
    ledger: parts.ledger,
    caller: "loop",
    lineage: { model: config.model, prompt: promptDigest(first), run: stored.run.id },
    budget: queryBudgetOf(task, parts.strength),
    known: knownOf(attempts),
    onRecord: (record, final) =>
      write({ kind: "record", ...place(), final, record: task.sealed ? withoutOracle(record) : record }),
  });
  const deps: LoopDeps = {
    brief,
    first,
    hints: hintsOf(task),
    propose: parts.propose,
    judge,
    scan: parts.scan,
    signal,
    journal: openJournal(folder),
    ...(parts.onStep === undefined ? {} : { onStep: parts.onStep }),
    ...(parts.onDoubt === undefined ? {} : { onDoubt: parts.onDoubt }),
    onAttempt: (attempt) => onAttempt?.(attempt, judge.labels()),
  };
  const reason = needsRepair(records) ? "repair-the-oracle" : await runLoop(deps, config, state);
  const token = tokenOfRun(records, state.attempts, reason);
  write({ kind: "end", at: new Date().toISOString(), reason, token });
  return { token, reason, attempts: state.attempts };
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
function hintsOf({ manifest: { hints } }: Task): Hints {
  const { OVERFIT, FAIL_BOTH, REJECTED } = hints;
  return {
    ...(OVERFIT === undefined ? {} : { overfit: OVERFIT }),
    ...(FAIL_BOTH === undefined ? {} : { "visible failed": FAIL_BOTH, "build failed": FAIL_BOTH }),
    ...(REJECTED === undefined ? {} : { rejected: REJECTED }),
  };
}

function verdictsOf(records: readonly RecordLine[]): GradeRecord["verdict"][] {
  return records.flatMap((line) => (line.kind === "record" ? [line.record.verdict] : []));
}

function needsRepair(records: readonly RecordLine[]): boolean {
  return verdictsOf(records).includes("FAIL_VISIBLE");
}

/** The token of the best candidate. With a failed reserve layer that is OVERFIT, whatever passed before. */
function tokenOfRun(records: readonly RecordLine[], attempts: readonly Attempt[], reason: EndReason): Token {
  if (reason === "repair-the-oracle") return "FAIL_VISIBLE";
  if (reason === "pass") return "PASS";
  if (reason === "reserve") return "OVERFIT";
  const best = bestToken(verdictsOf(records)) ?? (attempts.length > 0 ? "REJECTED" : undefined);
  if (best !== undefined) return best;
  throw new GraderError(ExitCode.tryAgain, `no answer was judged before the run ended · ${reason}`, {
    hint: "give it a larger budget and go on with --resume",
  });
}

const order: readonly Token[] = ["FAIL_VISIBLE", "PASS", "OVERFIT", "FAIL_BOTH", "REJECTED"];

/** The token that stands for several candidates of a run. One FAIL_VISIBLE says that no other counts. */
export function bestToken(verdicts: readonly GradeRecord["verdict"][]): Token | undefined {
  return order.find((token) => verdicts.includes(token));
}
