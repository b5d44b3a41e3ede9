/** `loop --config`: models × prompts × tasks × samples, several at a time, and how they compare. */

import { dirname, join, resolve } from "node:path";
import pLimit from "p-limit";
import { recallStrength } from "../audit/strength/last-strength.ts";
import type { GradeContext } from "../grade/context.ts";
import type { Model } from "../loop/client.ts";
import type { LoopDeps } from "../loop/loop.ts";
import { createRun, hasRun, readRun, type StoredRun } from "../loop/run-folder.ts";
import {
  type BenchConfig,
  type BenchModel,
  type BenchPrompt,
  parseBenchConfig,
} from "../model/bench-config.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { RunConfig } from "../model/transcript.ts";
import { type BenchRun, benchTable, summariseBench } from "../report/bench-table.ts";
import type { Machine } from "../sandbox/machine.ts";
import { briefOf } from "../task/brief.ts";
import { proposerOf } from "./ask-model.ts";
import { asFault } from "./fault.ts";
import { assertHintsHoldNothing, openScan } from "./leak-scan.ts";
import { aloneInRun, assertSameTask, driveRun, heldWarning, runFileOf, spentOn } from "./loop-run.ts";
import { defaultSilence, openEndpoint } from "./model-endpoint.ts";
import { openContext, openTask, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import { readSmall } from "./read-small.ts";
import type { Run } from "./run.ts";
import { makeOwnFolder, openLedger, stateFolder } from "./state-folder.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

interface BenchFlags {
  readonly identity?: string;
  readonly run?: string;
  readonly timeout?: number;
  readonly json?: boolean;
  readonly jobs?: number;
}

/** One run of the comparison. */
interface Cell {
  readonly model: BenchModel;
  readonly asked: Model;
  readonly prompt: BenchPrompt;
  readonly context: GradeContext;
  readonly scan: LoopDeps["scan"];
  readonly sample: number;
  readonly folder: string;
}

/** Runs the comparison and gives the exit code. Runs that have ended already are not run again. @throws GraderError */
export async function benchCommand(file: string, flags: BenchFlags, run: Run): Promise<number> {
  const config = parseBenchConfig(readText(file), file);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const out = flags.run === undefined ? join(stateFolder(), "runs", `bench-${stamp}`) : resolve(flags.run);
  writeErr(`runs: ${out}`);
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  const results: BenchRun[] = [];
  const count = { done: 0, total: 0 };
  const progress = batchProgress(() => count);
  try {
    await withMachine(wishes, async (machine) => {
      const cells = await cellsOf(config, { file, out, flags, run, machine });
      count.total = cells.length;
      const limit = pLimit(config.concurrency ?? 2);
      const runs = cells.map((cell) =>
        limit(async () => {
          run.signal.throwIfAborted();
          const result = await runCell(cell, config, run);
          count.done++;
          return result;
        }),
      );
      results.push(...(await settled(runs)));
    });
  } catch (error) {
    progress.clear();
    // What failed earlier has begun nothing.
    if (count.total > 0) writeErr(`what was done is kept; go on with --config ${file} --run ${out}`);
    throw error;
  } finally {
    progress.stop();
  }
  return tellBench(results, config, flags.json ?? false);
}

/** All results, or the first reason to stop once nothing runs any more. */
async function settled<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

interface Setting {
  readonly file: string;
  readonly out: string;
  readonly flags: BenchFlags;
  readonly run: Run;
  readonly machine: Machine;
}

async function cellsOf(config: BenchConfig, { file, out, flags, run, machine }: Setting): Promise<Cell[]> {
  const base = dirname(resolve(file));
  const contexts: GradeContext[] = [];
  for (const path of config.tasks)
    contexts.push(
      await openContext(await openTask(resolve(base, path), flags.identity), machine, {
        signal: run.signal,
        many: true,
      }),
    );
  assertOwnIds(contexts);
  const tasks = contexts.map((context) => ({ context, scan: openScan(context.task) }));
  for (const { context, scan } of tasks) assertHintsHoldNothing(context.task, scan);
  const prompts = (config.prompts ?? [{ name: "standing" }]).map((prompt) => promptOf(prompt, base));
  const samples = Array.from({ length: config.samples ?? 1 }, (_, at) => at + 1);
  return config.models.flatMap((model) => {
    const { baseUrl, keyEnv, stream = true, temperature = null } = model;
    const asked = openEndpoint({
      baseUrl,
      keyEnv,
      stream,
      temperature,
      model: model.model ?? model.name,
      timeout: flags.timeout ?? defaultSilence,
    });
    return prompts.flatMap((prompt) =>
      tasks.flatMap(({ context, scan }) =>
        samples.map((sample) => {
          const folder = join(out, model.name, prompt.name, context.task.id, String(sample));
          return { model, asked, prompt, context, scan, sample, folder };
        }),
      ),
    );
  });
}

function assertOwnIds(contexts: readonly GradeContext[]): void {
  const ids = contexts.map(({ task }) => task.id);
  const double = ids.find((id, at) => ids.indexOf(id) !== at);
  if (double === undefined) return;
  throw new GraderError(ExitCode.badTask, `two tasks of the comparison have the same id · ${double}`, {
    hint: "give each manifest an id of its own",
  });
}

function promptOf(prompt: BenchPrompt, base: string): BenchPrompt {
  return prompt.systemFile === undefined
    ? prompt
    : { ...prompt, system: readText(resolve(base, prompt.systemFile)) };
}

function readText(path: string): string {
  return readSmall(path, 8 << 20).toString("utf8");
}

/** A fault of one run is that run's result; an interruption ends all. */
async function runCell(cell: Cell, config: BenchConfig, run: Run): Promise<BenchRun> {
  const { model, prompt, context, sample } = cell;
  const named = { model: model.name, prompt: prompt.name, task: context.task.id, sample };
  try {
    return { ...named, ...(await aloneInRun(cell.folder, () => endOf(cell, config, run))) };
  } catch (error) {
    run.signal.throwIfAborted();
    return { ...named, token: null, ...spentBefore(cell.folder), fault: asFault(error).message };
  }
}

/** What a run came to; one that has ended is not run again. */
async function endOf(
  cell: Cell,
  config: BenchConfig,
  run: Run,
): Promise<Pick<BenchRun, "token" | "tokens" | "cost">> {
  const { context, folder, scan, asked } = cell;
  const stored = storedRun(cell, config);
  const last = stored.records.at(-1);
  if (last?.kind === "end")
    return { token: last.token, ...spentOn(stored.lines.filter((line) => line.kind === "attempt")) };
  const end = await driveRun({
    context,
    folder,
    stored,
    strength: recallStrength(context)?.strength ?? null,
    ledger: openLedger(),
    scan,
    signal: run.signal,
    onOracleHeld: ({ attempt }) => writeErr(`${heldWarning(String(attempt))} · ${folder}`),
    propose: proposerOf(asked, briefOf(context.task), run.signal, () => undefined),
  });
  return { token: end.token, ...spentOn(end.attempts) };
}

/** What a run has cost before its fault. */
function spentBefore(folder: string): { readonly tokens: number; readonly cost: number | null } {
  if (!hasRun(folder)) return { tokens: 0, cost: null };
  return spentOn(readRun(folder, { mend: false }).lines.filter((line) => line.kind === "attempt"));
}

/** The run of a cell as it was left, or a new one. @throws GraderError 65 where it was asked for otherwise. */
function storedRun(cell: Cell, config: BenchConfig): StoredRun {
  const { context, folder } = cell;
  const asked = askedOf(cell, config);
  if (hasRun(folder)) {
    const stored = readRun(folder, { mend: true });
    assertSameTask(stored, context.task);
    assertSameAsked(stored.run.config, asked, folder);
    return stored;
  }
  const run = runFileOf(context.task, asked);
  makeOwnFolder(folder);
  createRun(folder, run);
  return { run, lines: [], records: [], pending: null };
}

/** The same model may have moved; all else would make one row of two kinds of runs. */
function assertSameAsked(then: RunConfig, now: RunConfig, folder: string): void {
  const keys = (Object.keys(now) as (keyof RunConfig)[]).filter(
    (key) => key !== "baseUrl" && key !== "keyEnv",
  );
  const odd = keys.find((key) => then[key] !== now[key]);
  if (odd === undefined) return;
  throw new GraderError(ExitCode.badTask, `the run was asked for with another ${odd} · ${folder}`, {
    hint: "name another folder with --run, or put the configuration back as it was",
  });
}

function askedOf({ model, prompt }: Cell, config: BenchConfig): RunConfig {
  return {
    baseUrl: model.baseUrl,
    model: model.model ?? model.name,
    ...(model.keyEnv === undefined ? {} : { keyEnv: model.keyEnv }),
    attempts: config.attempts ?? 1,
    samples: 1,
    tokenBudget: config.tokenBudget ?? null,
    timeBudget: config.timeBudget ?? null,
    temperature: model.temperature ?? null,
    priceIn: model.priceIn ?? null,
    priceOut: model.priceOut ?? null,
    stream: model.stream ?? true,
    system: prompt.system ?? null,
  };
}

async function tellBench(runs: readonly BenchRun[], config: BenchConfig, json: boolean): Promise<number> {
  const ks = config.k ?? [...new Set([1, config.samples ?? 1])];
  const summaries = summariseBench(runs, ks);
  for (const { model, prompt, task, sample, fault } of runs)
    if (fault !== undefined) writeErr(`not judged: ${model} · ${prompt} · ${task} · ${sample} · ${fault}`);
  await writeOut(
    json
      ? `${JSON.stringify({ summaries, runs })}\n`
      : `${benchTable(summaries, paintFor(process.stdout)).join("\n")}\n`,
  );
  return runs.some(({ token }) => token === null) ? ExitCode.tryAgain : 0;
}
