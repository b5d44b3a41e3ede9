/** How models compare: pass@k with its interval, overfits, tokens for each PASS. */
import { type Estimate, estimatePassAtK, type TaskCount } from "../model/pass-at-k.ts";
import type { Token } from "../model/verdict.ts";
import type { Paint } from "./paint.ts";
import { alignColumns } from "./table.ts";

/** One run of a comparison; `token` is null where it was not judged. */
export interface BenchRun {
  readonly model: string;
  readonly prompt: string;
  readonly task: string;
  readonly sample: number;
  readonly token: Token | null;
  readonly tokens: number;
  readonly cost: number | null;
  readonly fault?: string;
}

/** One model with one prompt, over all tasks. */
export interface BenchSummary {
  readonly model: string;
  readonly prompt: string;
  readonly runs: number;
  /** Runs that came to a token; the shares below are of these. */
  readonly judged: number;
  readonly passed: number;
  /** By k; null where a task has fewer judged runs than k. */
  readonly passAt: Readonly<Record<string, Estimate | null>>;
  readonly overfitRate: number | null;
  readonly tokens: number;
  /** Tokens of all runs for each that passed; null where none did. */
  readonly tokensPerPass: number | null;
  readonly cost: number | null;
}

/** A summary for each model and prompt, in the order of the runs. */
export function summariseBench(runs: readonly BenchRun[], ks: readonly number[]): BenchSummary[] {
  const groups = groupBy(runs, ({ model, prompt }) => JSON.stringify([model, prompt]));
  return [...groups.values()].map((group) => summarise(group, ks));
}

function groupBy(runs: readonly BenchRun[], keyOf: (run: BenchRun) => string): Map<string, BenchRun[]> {
  const groups = new Map<string, BenchRun[]>();
  for (const run of runs) {
    const key = keyOf(run);
    const group = groups.get(key) ?? [];
    group.push(run);
    groups.set(key, group);
  }
  return groups;
}

function summarise(runs: readonly BenchRun[], ks: readonly number[]): BenchSummary {
  const judged = runs.filter(({ token }) => token !== null);
  const passed = judged.filter(({ token }) => token === "PASS").length;
  const overfit = judged.filter(({ token }) => token === "OVERFIT").length;
  const tokens = runs.reduce((sum, each) => sum + each.tokens, 0);
  const costs = runs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const counts = [...groupBy(runs, ({ task }) => task).values()].map(countOf);
  return {
    model: runs[0]?.model ?? "",
    prompt: runs[0]?.prompt ?? "",
    runs: runs.length,
    judged: judged.length,
    passed,
    passAt: Object.fromEntries(ks.map((k) => [String(k), estimatePassAtK(counts, k)])),
    overfitRate: judged.length === 0 ? null : overfit / judged.length,
    tokens,
    tokensPerPass: passed === 0 ? null : Math.round(tokens / passed),
    cost: costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0),
  };
}

function countOf(runs: readonly BenchRun[]): TaskCount {
  const judged = runs.filter(({ token }) => token !== null);
  return { samples: judged.length, passed: judged.filter(({ token }) => token === "PASS").length };
}

/** The summaries as lines of a table, and how its intervals were made. */
export function benchTable(summaries: readonly BenchSummary[], paint: Paint): string[] {
  const ks = Object.keys(summaries[0]?.passAt ?? {});
  const head = [
    "model",
    "prompt",
    "judged",
    ...ks.map((k) => `pass@${k}`),
    "overfit",
    "tokens",
    "tokens/PASS",
    "cost",
  ];
  const rows = summaries.map((each) => [
    each.model,
    each.prompt,
    `${each.judged}/${each.runs}`,
    ...ks.map((k) => estimateText(each.passAt[k] ?? null)),
    each.overfitRate === null ? "–" : percent(each.overfitRate),
    String(each.tokens),
    each.tokensPerPass === null ? "–" : String(each.tokensPerPass),
    each.cost === null ? "–" : each.cost.toFixed(4),
  ]);
  const kinds = new Set(
    summaries.flatMap(({ passAt }) => Object.values(passAt).flatMap((e) => e?.interval ?? [])),
  );
  return [
    ...alignColumns([head.map((cell) => paint.bold(cell)), ...rows]),
    ...[...kinds].map((kind) => paint.dim(intervalWords[kind])),
  ];
}

const intervalWords: Readonly<Record<Estimate["interval"], string>> = {
  wilson: "intervals: 95 %, Wilson's over the runs",
  bootstrap: "intervals: 95 %, bootstrap over the tasks",
};

function estimateText(estimate: Estimate | null): string {
  if (estimate === null) return "–";
  return `${percent(estimate.value)} [${percent(estimate.low)}, ${percent(estimate.high)}]`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
