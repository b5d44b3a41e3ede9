/** pass@k and how sure it is. */

/** A proportion with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** `wilson`: over the samples; `bootstrap`: over the tasks, where there are enough of them. */
  readonly interval: "wilson" | "bootstrap";
}

/** Samples of one task, and how many of them passed. */
export interface TaskCount {
  readonly samples: number;
  readonly passed: number;
}

/**
 * The unbiased estimator 1 − C(n−c, k) / C(n, k) of Chen et al., "Evaluating Large Language Models Trained on Code",
 * arXiv 2107.03374: n samples of which c passed. Null where there are fewer samples than k.
 */
export function passAtK(samples: number, passed: number, k: number): number | null {
  if (k > samples) return null;
  if (samples - passed < k) return 1;
  let missed = 1;
  for (let i = samples - passed + 1; i <= samples; i++) missed *= 1 - k / i;
  return 1 - missed;
}

/** Wilson's score interval of 95 % for a proportion. */
export function wilson(passed: number, samples: number): { readonly low: number; readonly high: number } {
  if (samples === 0) return { low: 0, high: 1 };
  const z = 1.959963984540054;
  const share = passed / samples;
  const scale = 1 + z ** 2 / samples;
  const middle = (share + z ** 2 / (2 * samples)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / samples + z ** 2 / (4 * samples ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const enoughTasks = 10;
const resamples = 2000;

/** Mean pass@k over tasks. Null where a task has fewer samples than k, or where there is none. */
export function estimatePassAtK(counts: readonly TaskCount[], k: number): Estimate | null {
  const each = counts.map(({ samples, passed }) => passAtK(samples, passed, k));
  const known = each.filter((value) => value !== null);
  if (known.length === 0 || known.length < each.length) return null;
  const value = mean(known);
  if (known.length >= enoughTasks) return { value, ...bootstrap(known), interval: "bootstrap" };
  const samples = counts.reduce((sum, count) => sum + count.samples, 0);
  const { low, high } = wilson(
    counts.reduce((sum, count) => sum + count.passed, 0),
    samples,
  );
  // A bound of the single share gives one of pass@k: both grow together.
  const atK = (share: number) => 1 - (1 - share) ** k;
  return { value, low: Math.min(value, atK(low)), high: Math.max(value, atK(high)), interval: "wilson" };
}

/** Percentiles of the mean over tasks drawn with replacement; the draw is always the same. */
function bootstrap(values: readonly number[]): { readonly low: number; readonly high: number } {
  const draw = generator(1);
  const means = Array.from({ length: resamples }, () =>
    mean(values.map(() => values[Math.floor(draw() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  const at = (share: number) => means[Math.min(resamples - 1, Math.floor(share * resamples))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** mulberry32: small, even, and the same on every machine. */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
