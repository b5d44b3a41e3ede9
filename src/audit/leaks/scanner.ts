/** Scans texts for an oracle, by its profile alone. */
import type { Task } from "../../model/task.ts";
import { buildProfile } from "./build-profile.ts";
import { viewsOf } from "./decode.ts";
import { type Index, indexOf, type Match, matchCode, matchProse } from "./match.ts";
import { oracleTexts, publicTexts } from "./oracle-texts.ts";
import type { Profile } from "./profile.ts";
import { judge, type Level, type Placed, type Signal } from "./signals.ts";
import { tokensOf } from "./tokens.ts";
import { originOf, type View } from "./view.ts";

/** One place of a text that the oracle seems to have reached. */
export interface LeakHit {
  readonly level: Level;
  readonly signals: readonly Signal[];
  /** Lines of the scanned text, from 1, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The first characters of that place, from the scanned text, on one line. */
  readonly excerpt: string;
}

/** Looks for one oracle in any number of texts. */
export interface LeakScanner {
  /** The task's id. */
  readonly task: string;
  /** Never throws, whatever the text. Linear in its length. */
  scan(text: string): LeakHit[];
}

/** Matches further apart than this say nothing about each other. */
const nearby = 1500;
/** Long texts are scanned in parts that overlap. */
const partLength = 1 << 18;
const overlap = 1 << 14;

/** A scanner for a task's hidden and reserve layers; what its public files share with them doesn't count. */
export function openLeakScanner(task: Task): LeakScanner {
  return scannerOf(buildProfile(oracleTexts(task), publicTexts(task)));
}

/** A scanner from a profile, as an export holds one. */
export function scannerOf(profile: Profile): LeakScanner {
  const index = indexOf(profile);
  return { task: profile.task, scan: (text) => scanText(text, index) };
}

/** Whether hits are sure enough to stop something. */
export function isBlocked(hits: readonly Pick<LeakHit, "level">[]): boolean {
  return hits.some(({ level }) => level !== "possible");
}

function scanText(text: string, index: Index): LeakHit[] {
  const lines = lineCounter(text);
  const hits: LeakHit[] = [];
  let last: Region | undefined;
  for (const region of regionsOf(text, index)) {
    // A place in the overlap of two parts is found twice.
    if (last !== undefined && region.from < last.to && region.to <= last.to) continue;
    last = region;
    hits.push({
      level: region.level,
      signals: region.signals,
      firstLine: lines(region.from),
      lastLine: lines(Math.max(region.from, region.to - 1)),
      excerpt: text
        .slice(region.from, region.from + 160)
        .replace(/[^\x21-\x7e\u00a0-\uffff]+/g, " ")
        .trim()
        .slice(0, 100),
    });
  }
  return hits;
}

interface Region {
  readonly from: number;
  readonly to: number;
  readonly level: Level;
  readonly signals: readonly Signal[];
}

function* regionsOf(text: string, index: Index): Generator<Region> {
  for (let start = 0; start === 0 || start < text.length - overlap; start += partLength - overlap) {
    const part = start === 0 && text.length <= partLength ? text : text.slice(start, start + partLength);
    for (const matches of clustered(matchesOf(part, index))) {
      const judged = judge(matches);
      if (judged === undefined) continue;
      const from = matches[0]?.originFrom ?? 0;
      const to = matches.reduce((most, { originTo }) => Math.max(most, originTo), 0);
      yield { from: start + from, to: start + to, ...judged };
    }
  }
}

function matchesOf(text: string, index: Index): Placed[] {
  const found: Placed[] = [];
  let reading = 0;
  for (const view of viewsOf(text)) {
    const keep = tokensOf(view.text, index.profile.salt, "keep");
    const visit = (match: Match) => found.push(placed(view, match, reading));
    matchCode(keep, index, visit);
    matchProse(keep, index, visit);
    reading++;
    if (/\/[/*]/.test(view.text)) matchCode(tokensOf(view.text, index.profile.salt, "drop"), index, visit);
    reading++;
  }
  return found;
}

function placed(view: View, match: Match, reading: number): Placed {
  const [originFrom, originTo] = originOf(view, match.from, match.to);
  return { ...match, reading, originFrom, originTo };
}

function clustered(matches: readonly Placed[]): Placed[][] {
  const sorted = [...matches].sort((x, y) => x.originFrom - y.originFrom);
  const clusters: Placed[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const match of sorted) {
    if (match.originFrom > end + nearby) clusters.push([]);
    clusters.at(-1)?.push(match);
    end = Math.max(end, match.originTo);
  }
  return clusters;
}

/** The line of an offset, for offsets that come in no order. */
function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    if (starts === undefined) {
      starts = [0];
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    }
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
