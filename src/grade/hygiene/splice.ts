/** Joins lines that end in a backslash, and leads every position back to the text as it was written. Pure. */

/** Splices removed, with the position in the original of each character that is left. */
export interface Spliced {
  readonly text: string;
  readonly origin: (at: number) => number;
  /** The first position at or after one of the original. */
  readonly after: (original: number) => number;
}

/** Takes out each backslash at the end of a line together with the line break. As for GCC, no `\r` may stand between. */
export function splice(original: string): Spliced {
  const cuts: { readonly at: number; readonly removed: number }[] = [];
  let removed = 0;
  const text = original.replace(/\\[ \t\f\v\0]*\r?\n/g, (all: string, at: number) => {
    cuts.push({ at: at - removed, removed: removed + all.length });
    removed += all.length;
    return "";
  });
  const origin = (at: number) => at + (lastWhere(cuts, (cut) => cut.at <= at)?.removed ?? 0);
  const after = (wanted: number) =>
    wanted - (lastWhere(cuts, (cut) => cut.at + cut.removed <= wanted)?.removed ?? 0);
  return { text, origin, after };
}

/** The last item of a list in which those that hold come first. */
function lastWhere<T>(list: readonly T[], holds: (item: T) => boolean): T | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}
