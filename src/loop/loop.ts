/** Ask → judge → tell → ask again, until a pass, a budget, or a reason to stop. */
import { type Message, promptDigest } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { AgentReport } from "../model/redact.ts";
import { agentWords } from "../model/redact.ts";
import type { AgentJudge, Shown } from "../model/shown.ts";
import type { Answered, Attempt, EndReason, RunConfig, Usage } from "../model/transcript.ts";
import { feedbackText, type Hints, nextMessages, type Round } from "./feedback.ts";
import { holdsOracle, leakOf, type Scan } from "./leak-gate.ts";
import type { Journal } from "./run-folder.ts";

/** One question to a generator. */
export interface Turn {
  readonly attempt: number;
  readonly sample: number;
  /** The whole talk, for a model. */
  readonly messages: readonly Message[];
  /** What the last answer was told, for an agent that keeps its own; null at first. */
  readonly feedback: string | null;
  /** The patch that the feedback is about. */
  readonly lastPatch: string | null;
  /** In the time of `Date.now()`. */
  readonly deadline: number;
}

/** What a generator came up with. */
export interface Proposal {
  readonly answer: string;
  /** Null where no patch could be found in it; `why` says so. */
  readonly patch: string | null;
  readonly why: string;
  readonly usage: Usage;
  /** The model came to its limit of tokens. */
  readonly isCut?: boolean;
}

/** All that the loop can reach. What comes from the judge is already redacted. */
export interface LoopDeps {
  /** The messages of the brief. */
  readonly first: readonly Message[];
  readonly hints: Hints;
  /** Asks a model or runs an agent. Null: the deadline came first. @throws GraderError */
  readonly propose: (turn: Turn) => Promise<Proposal | null>;
  readonly judge: AgentJudge;
  readonly scan: Scan;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly onStep?: (what: string) => void;
  readonly onAttempt?: (attempt: Attempt) => void;
  readonly onDoubt?: (where: string) => void;
  /** An answer came that holds the oracle. */
  readonly onOracleHeld?: (place: Pick<Answered, "attempt" | "sample">) => void;
}

/** Where a run stands: what was judged, and what was answered and not judged yet. */
export interface LoopState {
  readonly attempts: Attempt[];
  pending: Answered | null;
}

/** Goes on with a run until it ends. @throws GraderError, and whatever interrupted it. */
export async function runLoop(deps: LoopDeps, config: RunConfig, state: LoopState): Promise<EndReason> {
  const deadline =
    config.timeBudget === null ? Number.POSITIVE_INFINITY : Date.now() + config.timeBudget * 1000;
  for (;;) {
    const last = state.attempts.at(-1);
    if (last?.shown.word === "pass" && last.patch !== null)
      return (await deps.judge.final(last.patch)) ? "pass" : "reserve";
    const place = nextPlace(state, config.samples);
    const turn = turnAt(place, deps, state.attempts, deadline);
    const end = state.pending === null ? budgetEnd(turn, deps, config, state.attempts) : null;
    if (end !== null) return end;
    const answered = state.pending ?? (await ask(turn, deps, config));
    if (answered === null) return "time-budget";
    state.pending = answered;
    const shown = await judge(answered, deps);
    if (shown === null) return "query-budget";
    const attempt: Attempt = { kind: "attempt", ...withoutWhy(answered), ...toldOf(shown) };
    deps.journal.attempt(attempt);
    state.attempts.push(attempt);
    state.pending = null;
    deps.onAttempt?.(attempt);
    if (shown.stop) return "repair-the-oracle";
    deps.signal.throwIfAborted();
  }
}

function nextPlace({ attempts, pending }: LoopState, samples: number): { attempt: number; sample: number } {
  if (pending !== null) return pending;
  const last = attempts.at(-1);
  if (last === undefined) return { attempt: 1, sample: 1 };
  return last.sample < samples
    ? { attempt: last.attempt, sample: last.sample + 1 }
    : { attempt: last.attempt + 1, sample: 1 };
}

function turnAt(
  place: { readonly attempt: number; readonly sample: number },
  { first, hints }: LoopDeps,
  attempts: readonly Attempt[],
  deadline: number,
): Turn {
  const rounds = roundsBefore(place.attempt, attempts);
  const last = rounds.at(-1);
  return {
    attempt: place.attempt,
    sample: place.sample,
    messages: nextMessages(first, rounds, hints),
    feedback: last === undefined ? null : feedbackText(last, hints),
    lastPatch: last?.patch ?? null,
    deadline,
  };
}

/** A round with the patch that was judged in it. */
interface PatchedRound extends Round {
  readonly patch: string | null;
}

/** Of the samples of each attempt the best goes on, by its word alone; of equals the first. */
export function roundsBefore(attempt: number, attempts: readonly Attempt[]): PatchedRound[] {
  const best = new Map<number, Attempt>();
  for (const each of attempts) {
    if (each.attempt >= attempt) continue;
    const known = best.get(each.attempt);
    if (known === undefined || rank(each.shown) > rank(known.shown)) best.set(each.attempt, each);
  }
  return [...best.values()].map(({ answer, shown, repeated, patch }) => ({
    answer,
    patch,
    repeated,
    report: { ...shown, exit: 0 },
  }));
}

function rank({ word }: Pick<AgentReport, "word">): number {
  return agentWords.indexOf(word);
}

/** Checked before each question, so that none is begun that a budget can't carry. */
function budgetEnd(
  { attempt, messages, deadline }: Turn,
  { judge }: LoopDeps,
  { attempts: most, tokenBudget }: RunConfig,
  attempts: readonly Attempt[],
): EndReason | null {
  if (attempt > most) return "attempts";
  const used = attempts.reduce((sum, { tokens }) => sum + tokens.prompt + tokens.completion, 0);
  const next = messages.reduce((sum, { content }) => sum + content.length, 0) / 4;
  if (tokenBudget !== null && used + next > tokenBudget) return "token-budget";
  if (Date.now() >= deadline) return "time-budget";
  const { given, budget } = judge.labels();
  return given >= budget ? "query-budget" : null;
}

async function ask(turn: Turn, deps: LoopDeps, config: RunConfig): Promise<Answered | null> {
  assertNoLeak(turn, deps, config);
  deps.onStep?.(`asking ${config.model}`);
  const askedAt = new Date();
  const proposal = await deps.propose(turn);
  if (proposal === null) return null;
  const { answer, patch, why, usage, isCut } = proposal;
  const isHeld = holdsOracle([answer, patch ?? ""], deps.scan);
  const answered: Answered = {
    attempt: turn.attempt,
    sample: turn.sample,
    prompt: promptDigest(deps.first),
    messages: turn.messages.map((message) => ({ ...message })),
    answer,
    patch,
    why,
    ...(isHeld ? { holdsOracle: true } : {}),
    ...(isCut ? { isCut } : {}),
    tokens: usage,
    cost: costOf(usage, config),
    askedAt: askedAt.toISOString(),
    answerMs: Date.now() - askedAt.getTime(),
  };
  deps.journal.answered(answered);
  if (isHeld) deps.onOracleHeld?.(answered);
  return answered;
}

/** Nothing leaves unscanned. What is stopped is written down by its place, not by its words. */
function assertNoLeak(
  { attempt, sample, messages, lastPatch }: Turn,
  { first, scan, journal, onDoubt }: LoopDeps,
  { agent }: RunConfig,
): void {
  // An agent is handed its patch; a model's is in its answer.
  const patch = agent === undefined ? null : lastPatch;
  const { sure, doubtful, isOwn } = leakOf({ messages, brief: first.length, patch }, scan);
  for (const where of doubtful) onDoubt?.(where);
  if (sure.length === 0) return;
  journal.stopped({ kind: "stopped", attempt, sample, at: new Date().toISOString(), hits: [...sure] });
  const what = isOwn
    ? `the ${agent === undefined ? "model" : "agent"}'s own answer holds the oracle`
    : "the prompt, a hint or the feedback leaks the oracle";
  const unsent = attempt === 1 && sample === 1 ? "nothing was sent" : "this question was not sent";
  throw new GraderError(ExitCode.badTask, `${what} · ${sure.join(" · ")}`, {
    hint: isOwn
      ? "it knows it from elsewhere: no verdict about its patches means anything"
      : `${unsent}: take the oracle's text out of the prompt, the shown files and what the shown tests print`,
  });
}

function costOf({ prompt, completion }: Usage, { priceIn, priceOut }: RunConfig): number | null {
  if (priceIn === null && priceOut === null) return null;
  return (prompt * (priceIn ?? 0) + completion * (priceOut ?? 0)) / 1e6;
}

async function judge(answered: Answered, { judge: judgeOf, onStep }: LoopDeps): Promise<Shown | null> {
  if (answered.patch === null) {
    const report: AgentReport = { word: "rejected", exit: 5, lines: [answered.why] };
    return { report, sources: null, repeated: false, stop: false };
  }
  onStep?.("grading");
  return judgeOf.judge(answered.patch);
}

function withoutWhy({ why: _why, ...rest }: Answered): Omit<Answered, "why"> {
  return rest;
}

function toldOf({ report, sources, repeated }: Shown): Pick<Attempt, "sources" | "shown" | "repeated"> {
  return { sources, shown: { word: report.word, lines: [...report.lines] }, repeated };
}
