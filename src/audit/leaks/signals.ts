/** From single matches to what they say together: signals, and how sure a place is. */
import { type Constant, tellingOf } from "./constants.ts";
import type { Feature, Match } from "./match.ts";
import { isCommonNumber } from "./numbers.ts";

/** What spoke for a leak. */
export type Signal =
  | "canary"
  | "file and line"
  | "same code"
  | "same code, renamed"
  | "rare sequences"
  | "assertion"
  | "constants in order"
  | "names"
  | "wording";

/** `certain` and `likely` block; `possible` is a warning. */
export type Level = "certain" | "likely" | "possible";

/** A match by its place in the text that was given. */
export interface Placed extends Match {
  /** Matches of one reading of the text share it. */
  readonly reading: number;
  readonly originFrom: number;
  readonly originTo: number;
}

/** One signal in one stretch of text. Three points block, two warn. */
interface Scored {
  readonly signal: Signal;
  readonly points: number;
}

/** Enough to block by itself. */
const enough = 3;
const sure = 6;

/** What a stretch's matches say; undefined when it's nothing. */
export function judge(matches: readonly Placed[]): { level: Level; signals: Signal[] } | undefined {
  const by = new Map<Feature, Placed[]>();
  for (const match of matches) {
    const same = by.get(match.feature);
    if (same === undefined) by.set(match.feature, [match]);
    else same.push(match);
  }
  const of = (feature: Feature) => by.get(feature) ?? [];
  const scored = [
    canary(of("canaries")),
    place(of("places")),
    code(of("runs")),
    renamed(of("renamed")),
    rare(of("grams")),
    assertion([...of("phrases"), ...of("operands")]),
    constants(of("numbers"), of("lists")),
    names(of("names")),
    wording(of("words")),
  ].filter(({ points }) => points > 0);
  const total = scored.reduce((sum, { points }) => sum + points, 0);
  const level = total >= sure ? "certain" : total >= enough ? "likely" : total >= 2 ? "possible" : undefined;
  return level === undefined ? undefined : { level, signals: scored.map(({ signal }) => signal) };
}

function canary(matches: readonly Placed[]): Scored {
  return { signal: "canary", points: matches.length > 0 ? sure : 0 };
}

function place(matches: readonly Placed[]): Scored {
  const most = matches.reduce((high, { weight }) => Math.max(high, weight), 0);
  return { signal: "file and line", points: most === 2 ? sure : most === 1 ? enough : 0 };
}

function code(matches: readonly Placed[]): Scored {
  const longest = longestStretch(matches);
  return { signal: "same code", points: longest === 0 ? 0 : longest >= 50 ? sure : enough };
}

function renamed(matches: readonly Placed[]): Scored {
  const longest = longestStretch(matches);
  return { signal: "same code, renamed", points: longest === 0 ? 0 : longest >= 60 ? sure : enough };
}

/** About two different rare things in two places, or about one in three that differ. */
function rare(matches: readonly Placed[]): Scored {
  const things = new Set(matches.map(({ weight }) => weight)).size;
  const seen = new Set<number>();
  let places = 0;
  for (const row of chained(matches)) {
    const isNew = row.some(({ hash }) => !seen.has(hash));
    const isLong = (row.at(-1)?.last ?? 0) - (row[0]?.first ?? 0) >= 10;
    if (isNew) places += isLong ? 2 : 1;
    for (const { hash } of row) seen.add(hash);
  }
  const points =
    places < 2 ? 0 : things >= 2 ? enough : seen.size >= 6 && chained(matches).length >= 3 ? 2 : 0;
  return { signal: "rare sequences", points };
}

/** One that is distinctive, several that aren't, or one that a message of a failure quotes. */
function assertion(matches: readonly Placed[]): Scored {
  if (matches.some(({ weight }) => weight === 2)) return { signal: "assertion", points: enough };
  const weak = new Map(
    matches.filter(({ weight }) => weight > 0).map((match) => [match.hash, match.originFrom]),
  );
  const places = new Set(weak.values()).size;
  const longest = matches.reduce(
    (most, { isQuoted, first, last }) => Math.max(most, isQuoted ? last - first : 0),
    0,
  );
  const quoted = longest >= 9 ? enough : longest > 0 ? 2 : 0;
  return {
    signal: "assertion",
    points: Math.max(quoted, places >= 5 ? enough : places >= 3 ? 2 : Math.min(places, 1)),
  };
}

/** A whole list, or five or more in order that hang together and aren't all small and round. */
function constants(matches: readonly Placed[], lists: readonly Placed[]): Scored {
  let best = lists.length > 0 ? enough : 0;
  for (const row of chained(matches)) {
    const all = row.flatMap((match) => match.constants ?? []);
    const members = [...new Map(all.map((one) => [one.value, one])).values()];
    best = Math.max(best, pointsOf(members));
  }
  return { signal: "constants in order", points: best };
}

/** Numbers next to powers of two are what everybody tries, so of them alone it takes more. */
function pointsOf(members: readonly Constant[]): number {
  const telling = tellingOf(members);
  if (members.length < 5) return telling >= 9 ? 2 : 0;
  const isAnybodys = members.every(({ value }) => isCommonNumber(value));
  if (telling >= (isAnybodys ? 9 : 7)) return enough;
  return telling >= (isAnybodys ? 7 : 5) ? 2 : 0;
}

function names(matches: readonly Placed[]): Scored {
  const distinct = new Map(matches.map(({ hash, weight }) => [hash, weight]));
  const points = [...distinct.values()].reduce((sum, weight) => sum + weight, 0);
  return { signal: "names", points: Math.min(points, enough) };
}

function wording(matches: readonly Placed[]): Scored {
  const longest = longestStretch(matches);
  return { signal: "wording", points: longest >= 8 ? enough : longest >= 7 ? 2 : longest >= 6 ? 1 : 0 };
}

function longestStretch(matches: readonly Placed[]): number {
  return stretches(matches).reduce((most, length) => Math.max(most, length), 0);
}

/** Lengths of the stretches that overlapping matches of one reading form. */
function stretches(matches: readonly Placed[]): number[] {
  return chained(matches).map((row) => {
    const from = row[0]?.first ?? 0;
    return row.reduce((most, { last }) => Math.max(most, last - from), 0);
  });
}

function chained(matches: readonly Placed[]): Placed[][] {
  const sorted = [...matches].sort((x, y) => x.reading - y.reading || x.first - y.first);
  const rows: Placed[][] = [];
  let [reading, end] = [-1, -1];
  for (const match of sorted) {
    if (match.reading !== reading || match.first >= end) {
      rows.push([]);
      [reading, end] = [match.reading, match.last];
    }
    rows.at(-1)?.push(match);
    end = Math.max(end, match.last);
  }
  return rows;
}
