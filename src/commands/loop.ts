/** `loop`: asks a code generator, grades its answer, tells it one of five words, and asks again. */

import { join, resolve } from "node:path";
import { recallStrength } from "../audit/strength/last-strength.ts";
import type { LoopDeps } from "../loop/loop.ts";
import { createRun, readRun, type StoredRun } from "../loop/run-folder.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import type { Attempt, RunConfig } from "../model/transcript.ts";
import { exitOf } from "../model/verdict.ts";
import type { Machine } from "../sandbox/machine.ts";
import { briefOf } from "../task/brief.ts";
import { agentInstructions, openAgent } from "./agent.ts";
import { type AgentFlags, agentConfigOf, refuseFlags } from "./agent-flags.ts";
import { proposerOf } from "./ask-model.ts";
import { assertHintsHoldNothing, openScan } from "./leak-scan.ts";
import {
  aloneInRun,
  assertSameTask,
  driveRun,
  heldWarning,
  queryBudgetOf,
  type RunEnd,
  type RunParts,
  runFileOf,
  smallBudgetWarning,
  spentOn,
} from "./loop-run.ts";
import { defaultSilence, openEndpoint } from "./model-endpoint.ts";
import { noteCalibration, openContext, openLockedTask, withMachine } from "./open.ts";
import { gradeProgress, type Progress } from "./progress.ts";
import type { Run } from "./run.ts";
import { makeOwnFolder, openLedger, stateFolder } from "./state-folder.ts";
import { writeErr, writeOut } from "./terminal.ts";

/** Flags of `loop`, as they are parsed. */
export interface LoopFlags extends AgentFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly attempts?: number;
  readonly samples?: number;
  readonly tokenBudget?: number;
  readonly timeBudget?: number;
  readonly temperature?: number;
  readonly keyEnv?: string;
  readonly run?: string;
  readonly resume?: string;
  readonly replay?: string;
  readonly config?: string;
  readonly priceIn?: number;
  readonly priceOut?: number;
  readonly stream: boolean;
  /** Seconds. */
  readonly timeout?: number;
  readonly json?: boolean;
  readonly jobs?: number;
}

/** Runs what the flags ask for and gives the exit code. @throws GraderError */
export async function loopCommand(flags: LoopFlags, run: Run): Promise<number> {
  assertOneKind(flags);
  if (flags.replay !== undefined)
    return (await import("./loop-replay.ts")).replayCommand(flags.replay, flags, run);
  if (flags.config !== undefined)
    return (await import("./loop-bench.ts")).benchCommand(flags.config, flags, run);
  const task = await openLockedTask(flags.task ?? taskOfRun(flags.resume), flags.identity);
  const scan = openScan(task);
  assertHintsHoldNothing(task, scan);
  const fresh = flags.resume === undefined ? newRun(task, flags) : undefined;
  const folder = fresh?.folder ?? resolve(flags.resume ?? "");
  return aloneInRun(folder, () => loopIn({ task, scan, folder, fresh: fresh?.stored }, flags, run));
}

/** Where a run is begun (`fresh`) or gone on with. */
interface Begun extends Pick<RunParts, "folder" | "scan"> {
  readonly task: Task;
  readonly fresh: StoredRun | undefined;
}

async function loopIn({ task, scan, folder, fresh }: Begun, flags: LoopFlags, run: Run): Promise<number> {
  const stored = fresh ?? oldRun(task, folder, flags);
  const progress = gradeProgress();
  const generator = generatorOf({ task, folder, stored }, flags, run, progress);
  if (fresh !== undefined) {
    makeOwnFolder(folder);
    createRun(folder, stored.run);
  }
  writeErr(`run: ${folder}`);
  try {
    const end = await runOne({ task, folder, stored, scan, generator, progress }, flags, run);
    return await tell(end, folder, flags.json ?? false);
  } catch (error) {
    progress.clear();
    writeErr(`what was done is kept; go on with --resume ${folder}`);
    throw error;
  } finally {
    progress.stop();
  }
}

function assertOneKind(flags: LoopFlags): void {
  const { run, agent, resume, replay, config } = flags;
  const kinds = { "--resume": resume, "--replay": replay, "--config": config };
  const given = Object.entries(kinds).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (run !== undefined && config === undefined && given.length > 0) given.push("--run");
  if (agent !== undefined && given.length > 0) given.push("--agent");
  if (given.length > 1)
    throw new GraderError(ExitCode.usage, `these can't be asked for together · ${given.join(" ")}`, {
      hint: "keep one of them",
    });
  assertAllUsed(flags);
}

/** A flag that would be passed over silently is refused. @throws GraderError 64 */
function assertAllUsed(flags: LoopFlags): void {
  const { identity: _identity, json: _json, jobs: _jobs, stream, ...said } = flags;
  const all = { ...said, noStream: stream ? undefined : true };
  if (flags.config !== undefined) {
    const { config: _config, run: _run, timeout: _timeout, ...rest } = all;
    refuseFlags(rest, "has no meaning with --config, whose file says it");
  } else if (flags.replay !== undefined) {
    const { replay: _replay, task: _task, ...rest } = all;
    refuseFlags(rest, "has no meaning with --replay, which asks nobody");
  } else if (flags.resume !== undefined) {
    const {
      resume: _resume,
      task: _task,
      timeout: _timeout,
      baseUrl: _baseUrl,
      keyEnv: _keyEnv,
      ...more
    } = all;
    const { attempts: _attempts, samples: _samples, tokenBudget: _tokens, timeBudget: _time, ...rest } = more;
    refuseFlags(rest, "has no meaning with --resume: the run goes on as it was asked for");
  }
}

type Generator = (machine: Machine) => LoopDeps["propose"];

/** Who answers: what a run's configuration names, checked, to be opened on a machine. @throws GraderError 64 or 65 */
function generatorOf(
  { task, folder, stored }: Opened,
  flags: LoopFlags,
  run: Run,
  progress: Progress,
): Generator {
  const { config } = stored.run;
  const { agent, baseUrl } = config;
  if (agent !== undefined) return openAgent({ agent, task, runFolder: folder, identity: flags.identity });
  if (baseUrl === undefined)
    throw new GraderError(ExitCode.usage, "the run asks nobody", {
      hint: "name a run of a model or an agent",
    });
  const model = openEndpoint({ ...config, baseUrl, timeout: flags.timeout ?? defaultSilence });
  const propose = proposerOf(model, briefOf(task), run.signal, (message, ms) => {
    progress.clear();
    writeErr(`${message} · again in ${(ms / 1000).toFixed(1)} s`);
  });
  return () => propose;
}

interface Opened extends Pick<RunParts, "folder" | "stored"> {
  readonly task: Task;
}

interface Prepared extends Opened, Pick<RunParts, "scan"> {
  readonly generator: Generator;
  readonly progress: Progress;
}

function runOne(
  { task, progress, generator, ...prepared }: Prepared,
  { jobs }: LoopFlags,
  run: Run,
): Promise<RunEnd> {
  const wishes = { signal: run.signal, ...(jobs === undefined ? {} : { jobs }) };
  return withMachine(wishes, async (machine) => {
    const context = await openContext(task, machine, { ...wishes, many: true });
    noteCalibration(context);
    const strength = recallStrength(context)?.strength ?? null;
    announce(task, strength);
    const told = tellers(prepared.stored, progress);
    return driveRun({
      ...prepared,
      ...told,
      propose: generator(machine),
      context,
      strength,
      ledger: openLedger(),
      signal: run.signal,
    });
  });
}

function taskOfRun(resume: string | undefined): string | undefined {
  return resume === undefined ? undefined : readRun(resolve(resume), { mend: false }).run.task.path;
}

function newRun(task: Task, flags: LoopFlags): { folder: string; stored: StoredRun } {
  const run = runFileOf(task, configOf(flags));
  const name = `${run.createdAt.slice(0, 19).replaceAll(":", "-")}-${task.id}-${run.id.slice(0, 8)}`;
  const folder = flags.run === undefined ? join(stateFolder(), "runs", name) : resolve(flags.run);
  return { folder, stored: { run, lines: [], records: [], pending: null } };
}

function configOf(flags: LoopFlags): RunConfig {
  return {
    ...askedOf(flags),
    ...(flags.keyEnv === undefined ? {} : { keyEnv: flags.keyEnv }),
    attempts: flags.attempts ?? 8,
    samples: flags.samples ?? 1,
    tokenBudget: flags.tokenBudget ?? null,
    timeBudget: flags.timeBudget ?? null,
    temperature: flags.temperature ?? null,
    priceIn: flags.priceIn ?? null,
    priceOut: flags.priceOut ?? null,
    stream: flags.stream,
  };
}

/** An agent goes by its command where it is given no name. @throws GraderError 64 */
function askedOf(flags: LoopFlags): Pick<RunConfig, "baseUrl" | "model" | "agent" | "system"> {
  const agent = agentConfigOf(flags);
  const { baseUrl, model } = flags;
  if (agent !== undefined)
    return {
      agent,
      model: model ?? agent.command.replace(/\s+/g, " ").slice(0, longestName),
      system: agentInstructions,
    };
  if (baseUrl !== undefined && model !== undefined) return { baseUrl, model, system: null };
  throw new GraderError(
    ExitCode.usage,
    `nobody to ask: ${baseUrl === undefined ? "--base-url" : "--model"} is missing`,
    { hint: "name both --base-url URL and --model NAME, or an agent with --agent COMMAND" },
  );
}

const longestName = 100;

/** The run as it was left, with larger or smaller budgets where the flags say so. @throws GraderError */
function oldRun(task: Task, folder: string, flags: LoopFlags): StoredRun {
  const stored = readRun(folder, { mend: true });
  assertSameTask(stored, task);
  const { attempts, samples, tokenBudget, timeBudget, baseUrl, keyEnv, timeout } = flags;
  const { config } = stored.run;
  if (config.agent !== undefined)
    refuseFlags({ tokenBudget, baseUrl, keyEnv, timeout }, "has no meaning for the run of an agent");
  const given = Object.entries({ attempts, samples, tokenBudget, timeBudget, baseUrl, keyEnv });
  const said = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { ...stored, run: { ...stored.run, config: { ...config, ...said } } };
}

function announce(task: Task, strength: number | null): void {
  const source =
    task.manifest.queryBudget !== undefined
      ? "the task's queryBudget"
      : strength === null
        ? "by default, for an oracle whose strength was never measured"
        : `by default, for a strength of ${(strength * 100).toFixed(1)} %`;
  const budget = queryBudgetOf(task, strength);
  writeErr(`labels that this run may learn: ${budget} (${source})`, ...smallBudgetWarning(task, budget));
}

/** A line an attempt: which, its word, tokens and cost so far, labels. */
function tellers({ run: { config }, lines }: StoredRun, progress: Progress) {
  const before = spentOn(lines.filter((line) => line.kind === "attempt"));
  let [tokens, cost] = [before.tokens, before.cost ?? 0];
  const doubted = new Set<string>();
  return {
    onStep: progress.step,
    // The brief goes out with every attempt; what was said of it once is enough.
    onDoubt: (where: string) => {
      if (doubted.has(where)) return;
      doubted.add(where);
      progress.clear();
      writeErr(`warning: this looks a little like the oracle · ${where}`);
    },
    onOracleHeld: ({ attempt, sample }: Pick<Attempt, "attempt" | "sample">) => {
      progress.clear();
      writeErr(heldWarning(config.samples > 1 ? `${attempt}.${sample}` : String(attempt)));
    },
    onAttempt: (attempt: Attempt, { given, budget, all }: { given: number; budget: number; all: number }) => {
      tokens += attempt.tokens.prompt + attempt.tokens.completion;
      cost += attempt.cost ?? 0;
      progress.clear();
      const sample = config.samples > 1 ? `.${attempt.sample}` : "";
      const parts = [
        `attempt ${attempt.attempt}${sample}/${config.attempts}`,
        attempt.shown.word + (attempt.repeated ? " (as before)" : ""),
        ...(config.agent === undefined
          ? [`${tokens}${attempt.tokens.estimated ? " (estimated)" : ""} tokens`]
          : []),
        ...(attempt.cost === null ? [] : [`cost ${cost.toFixed(4)}`]),
        `labels ${given}/${budget} (${all} in all)`,
      ];
      writeErr(parts.join(" · "));
      if (given < budget && given >= budget * 0.8) writeErr(`warning: ${budget - given} labels are left`);
    },
  };
}

const endWords: Readonly<Record<RunEnd["reason"], string>> = {
  pass: "a candidate passed every layer",
  reserve: "the candidate passed the hidden layer and failed the reserve",
  "repair-the-oracle": "a candidate failed the shown tests only: repair the oracle",
  attempts: "the attempts are used up",
  "token-budget": "the token budget is used up",
  "time-budget": "the time budget is used up",
  "query-budget": "the query budget is used up",
};

async function tell({ token, reason, attempts }: RunEnd, folder: string, json: boolean): Promise<number> {
  writeErr(endWords[reason]);
  const { tokens, cost } = spentOn(attempts);
  const summary = { token, reason, attempts: attempts.length, tokens, cost, run: folder };
  await writeOut(json ? `${JSON.stringify(summary)}\n` : `${token}\n`);
  return exitOf[token];
}
