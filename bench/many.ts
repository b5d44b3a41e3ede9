/** A hundred patches at once, against the script one at a time and two at a time. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Spent } from "./cpu-account.ts";
import { median, type Row } from "./row.ts";
import type { Stage } from "./stage.ts";

const count = 100;

/** Figures for all of the patches, one entry a round. */
interface Rounds {
  readonly serialMs: number[];
  readonly pairMs: number[];
  readonly oursMs: number[];
  readonly referenceCpuMs: number[];
  readonly oursCpuMs: number[];
}

/** How a hundred are measured. */
export interface ManyOptions {
  readonly rounds: number;
  /** Patches that the script is run on; its times are scaled to a hundred. */
  readonly sample: number;
}

/** The rows of one kind of patch, and on how many patches both came to the same word. */
export interface ManyResult {
  readonly rows: readonly Row[];
  readonly same: number;
  readonly compared: number;
}

const targets = {
  source: { serial: [12, 18], pair: [5.5, 9] },
  header: { serial: [6, 9], pair: [3, 5] },
} as const;

/** Measures one kind of patch. */
export async function measureMany(
  stage: Stage,
  kind: "source" | "header",
  options: ManyOptions,
): Promise<ManyResult> {
  const texts = Array.from({ length: count }, (_, n) => stage.variants[kind](n));
  const patches = stage.patchFolder(texts);
  const files = readdirSync(patches)
    .sort()
    .map((name) => join(patches, name));
  const sample = files.slice(0, options.sample);
  const times: Rounds = { serialMs: [], pairMs: [], oursMs: [], referenceCpuMs: [], oursCpuMs: [] };
  const tokens = new Map<string, string>();
  let same = 0;
  for (let round = 0; round < options.rounds; round++) {
    await referenceSerially(stage, sample, times, tokens);
    const verdicts = await oursAtOnce(stage, patches, times);
    await referenceInPairs(stage, sample, times);
    same += sample.filter((file) => verdicts.get(file) === tokens.get(file)).length;
  }
  return { rows: rowsOf(kind, times), same, compared: sample.length * options.rounds };
}

function note(times: number[], value: number, of: readonly string[]): void {
  times.push((value * count) / of.length);
}

async function referenceSerially(
  stage: Stage,
  sample: readonly string[],
  times: Rounds,
  tokens: Map<string, string>,
): Promise<void> {
  const [started, cpu] = [performance.now(), stage.account.read()];
  for (const file of sample) tokens.set(file, wordOf(await stage.reference(file)));
  note(times.serialMs, performance.now() - started, sample);
  note(times.referenceCpuMs, stage.account.read() - cpu, sample);
}

async function referenceInPairs(stage: Stage, sample: readonly string[], times: Rounds): Promise<void> {
  const waiting = [...sample];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      wordOf(await stage.reference(file));
  };
  const started = performance.now();
  await Promise.all([worker(), worker()]);
  note(times.pairMs, performance.now() - started, sample);
}

function wordOf({ stdout, stderr, code }: Spent): string {
  if (/^[A-Z_]+\n$/.test(stdout)) return stdout.trim();
  throw new Error(`the reference gave no word, exit ${code}\n${stderr}`);
}

/** Starts with a cache that knows nothing of the task, so that what is built once for it counts. */
async function oursAtOnce(stage: Stage, patches: string, times: Rounds): Promise<Map<string, string | null>> {
  const out = join(stage.patchFolder([]), "records.jsonl");
  const args = ["batch", patches, "--task", stage.task, "--jobs", "2", "--out", out];
  const spent = await stage.ours(args, stage.freshCache());
  if (spent.code !== 0) throw new Error(`the batch ended with ${spent.code}\n${spent.stderr}`);
  times.oursMs.push(spent.wallMs);
  times.oursCpuMs.push(spent.cpuMs);
  const records = readFileSync(out, "utf8").trim().split("\n").map(readRecord);
  if (records.length !== count) throw new Error(`the batch wrote ${records.length} records`);
  if (records.some(({ cached }) => cached)) throw new Error("a patch was answered from a record");
  return new Map(records.map(({ patch, verdict }) => [patch.path, verdict]));
}

interface ReadRecord {
  readonly patch: { readonly path: string };
  readonly verdict: string | null;
  readonly cached: boolean;
}

function readRecord(line: string): ReadRecord {
  return JSON.parse(line) as ReadRecord;
}

function rowsOf(kind: "source" | "header", times: Rounds): Row[] {
  const row = (what: string, unit: string, reference: number[], ours: number[], per: number) => ({
    what,
    unit,
    reference: median(reference) / per,
    ours: median(ours) / per,
  });
  const what = `${count} ${kind} patches`;
  const faster = (
    against: string,
    reference: number[],
    [target, stretch]: readonly [number, number],
  ): Row => ({
    ...row(`${what}, against ${against}`, "s wall", reference, times.oursMs, 1000),
    sense: "times",
    target,
    stretch,
  });
  const goals = kind === "source" ? { target: 0.18, stretch: 0.1 } : {};
  return [
    faster("one at a time", times.serialMs, targets[kind].serial),
    faster("two at a time", times.pairMs, targets[kind].pair),
    {
      ...row(`CPU of a ${kind} patch in the batch`, "ms CPU", times.referenceCpuMs, times.oursCpuMs, count),
      sense: "share",
      ...goals,
    },
  ];
}
