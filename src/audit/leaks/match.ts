/** Where features of a profile occur in a text: the one matcher, for scans and for taking public text out of a profile. */
import { assertionsOf, wordAt } from "./assertions.ts";
import { allRows, type Constant, lanesOf, windowsOf } from "./constants.ts";
import { domain, hashText, mix, Sieve, seal } from "./hash.ts";
import { type Draft, lengths, type Profile } from "./profile.ts";
import {
  earlier,
  hasShape,
  type Lanes,
  leastTelling,
  renamedHash,
  sequenceHash,
  sequencesAt,
  tellingBefore,
} from "./sequences.ts";
import { kinds, type Tokens } from "./tokens.ts";
import { wordsOf } from "./words.ts";

/** The kinds of features, by the profile's own names. */
export type Feature = keyof Draft;

/** One feature at one place. */
export interface Match {
  readonly feature: Feature;
  readonly hash: number;
  /** Offsets in the text. */
  readonly from: number;
  readonly to: number;
  /** Tokens, words or constants that it covers: the first and past the last, by index. */
  readonly first: number;
  readonly last: number;
  readonly weight: number;
  /** For constants: the four of them. */
  readonly constants?: readonly Constant[];
  /** For phrases: whether a message says that this very expression failed. */
  readonly isQuoted?: boolean;
}

/** A profile made ready for look-ups. */
export interface Index {
  readonly profile: Profile;
  readonly sequences: Sieve;
  readonly wanted: Uint8Array;
  readonly wordsWanted: Uint8Array;
  readonly listsWanted: Uint8Array;
}

/** The profile may lose features afterwards, as happens to a draft; it may not gain any. */
export function indexOf(profile: Profile): Index {
  const wanted = new Uint8Array(lengths.longestPhrase + 1);
  wanted[lengths.gram] = 1;
  wanted[lengths.run] = 1;
  wanted[lengths.plainRun] = 1;
  for (const { length } of profile.phrases.values()) wanted[length] = 1;
  const wordsWanted = new Uint8Array(lengths.words + 1);
  wordsWanted[lengths.words] = 1;
  const listsWanted = new Uint8Array(lengths.longestList + 1);
  for (const length of profile.lists.values()) listsWanted[length] = 1;
  const sequences = new Sieve([
    ...profile.runs,
    ...profile.grams.keys(),
    ...profile.phrases.keys(),
    ...profile.words,
    ...profile.renamed,
  ]);
  return { profile, sequences, wanted, wordsWanted, listsWanted };
}

type Visit = (match: Match) => void;

/** All matches in code: sequences, assertions, constants and names. */
export function matchCode(tokens: Tokens, index: Index, visit: Visit): void {
  matchSequences(tokens, index, visit);
  matchRenamed(tokens, index, visit);
  matchOperands(tokens, index, visit);
  matchConstants(tokens, index, visit);
  matchNames(tokens, index, visit);
}

function spanned(lanes: Pick<Tokens, "start" | "end">, first: number, last: number) {
  return { first, last, from: lanes.start[first] ?? 0, to: lanes.end[last - 1] ?? 0 };
}

function matchSequences(tokens: Tokens, index: Index, visit: Visit): void {
  const { profile, sequences, wanted } = index;
  const how = { salt: profile.salt, sieve: sequences, starts: profile.starts };
  let at = 0;
  const look = (hash: number, length: number) => {
    const place = () => spanned(tokens, at, at + length);
    if ((length === lengths.run || length === lengths.plainRun) && profile.runs.has(hash))
      visit({ feature: "runs", hash, weight: 2, ...place() });
    const rare = length === lengths.gram ? profile.grams.get(hash) : undefined;
    if (rare !== undefined) visit({ feature: "grams", hash, weight: rare, ...place() });
    const phrase = profile.phrases.get(hash);
    if (phrase?.length !== length) return;
    const isQuoted = length >= 5 && isInMessage(tokens, at, at + length);
    visit({ feature: "phrases", hash, weight: phrase.weight, isQuoted, ...place() });
  };
  for (; at < tokens.count; at++) sequencesAt(tokens, how, at, wanted, look);
}

/** "Assertion `…' failed", or "Assertion failed: (…)". */
function isInMessage(tokens: Tokens, from: number, to: number): boolean {
  const before = from > 0 ? wordAt(tokens, from - 1) : "";
  if (before === "Assertion") return to < tokens.count && wordAt(tokens, to) === "failed";
  const words = [4, 3, 2, 1].map((back) => (from >= back ? wordAt(tokens, from - back) : ""));
  return words.join(" ").endsWith("failed : (") || words.join(" ").endsWith("failed :");
}

function matchRenamed(tokens: Tokens, { profile }: Index, visit: Visit): void {
  if (profile.renamed.size === 0) return;
  const before = earlier(tokens);
  const telling = tellingBefore(tokens);
  for (let at = 0; at + lengths.renamed <= tokens.count; at++) {
    if ((telling[at + lengths.renamed] ?? 0) - (telling[at] ?? 0) < leastTelling) continue;
    const hash = renamedHash(tokens, before, profile.salt, at);
    if (profile.renamed.has(hash) && hasShape(tokens, at))
      visit({ feature: "renamed", hash, weight: 2, ...spanned(tokens, at, at + lengths.renamed) });
  }
}

function matchOperands(tokens: Tokens, { profile }: Index, visit: Visit): void {
  if (profile.operands.size === 0) return;
  for (const { from, to, sides } of assertionsOf(tokens)) {
    if (sides === undefined) continue;
    const hash = operandsHash(tokens, profile, sides);
    const weight = profile.operands.get(hash);
    if (weight !== undefined) visit({ feature: "operands", hash, weight, ...spanned(tokens, from, to) });
  }
}

/** The same whichever side comes first. */
export function operandsHash(
  tokens: Tokens,
  { salt }: Pick<Profile, "salt">,
  sides: readonly { from: number; to: number }[],
): number {
  const [one = 0, two = 0] = sides.map(({ from, to }) =>
    sequenceHash(tokens, salt, from, to, domain.operands),
  );
  const [low, high] = one < two ? [one, two] : [two, one];
  return seal(mix(low | 0, high | 0), mix((low / 0x1_0000) | 0, (high / 0x1_0000) | 0));
}

function matchConstants(tokens: Tokens, index: Index, visit: Visit): void {
  const { profile } = index;
  if (profile.numbers.size + profile.lists.size === 0) return;
  for (const row of allRows(tokens)) {
    if (profile.lists.size > 0) matchLists(tokens, row, index, visit);
    for (const { hash, members } of windowsOf(row, profile.salt)) {
      if (!profile.numbers.has(hash)) continue;
      const constants = members.flatMap((at) => row[at] ?? []);
      const [first = 0, last = 0] = [constants[0]?.at, constants.at(-1)?.at];
      visit({ feature: "numbers", hash, weight: 1, constants, ...spanned(tokens, first, last + 1) });
    }
  }
}

function matchLists(tokens: Tokens, row: readonly Constant[], index: Index, visit: Visit): void {
  const lanes = lanesOf(row);
  for (let at = 0; at + lengths.shortestList <= row.length; at++)
    sequencesAt(
      lanes,
      { salt: index.profile.salt, kind: domain.list },
      at,
      index.listsWanted,
      (hash, length) => {
        if (index.profile.lists.get(hash) !== length) return;
        const [first = 0, last = 0] = [row[at]?.at, row[at + length - 1]?.at];
        visit({ feature: "lists", hash, weight: 2, ...spanned(tokens, first, last + 1) });
      },
    );
}

const nameKind = (() => {
  const wanted = new Uint8Array(3);
  wanted[1] = 1;
  wanted[2] = 1;
  return wanted;
})();

function matchNames(tokens: Tokens, { profile }: Index, visit: Visit): void {
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.kind[at] !== kinds.word || isShortAndAlone(tokens, at)) continue;
    sequencesAt(tokens, { salt: profile.salt, kind: domain.name }, at, nameKind, (hash) => {
      const weight = profile.names.get(hash);
      if (weight !== undefined) visit({ feature: "names", hash, weight, ...spanned(tokens, at, at + 1) });
    });
  }
}

/** Names are of eight characters or more, or followed by `::`. */
function isShortAndAlone(tokens: Tokens, at: number): boolean {
  const [start, end] = [tokens.start[at] ?? 0, tokens.end[at] ?? 0];
  return end - start < 8 && !tokens.text.startsWith("::", end);
}

/** All matches in prose: words in a row, places and canaries. */
export function matchProse(tokens: Tokens, index: Index, visit: Visit): void {
  const { profile, sequences, wordsWanted } = index;
  const words = wordsOf(tokens, profile.salt);
  const how = { salt: profile.salt, kind: domain.words, sieve: sequences };
  for (let at = 0; profile.words.size > 0 && at + lengths.words <= words.count; at++)
    sequencesAt(words as Lanes, how, at, wordsWanted, (hash) => {
      if (profile.words.has(hash))
        visit({ feature: "words", hash, weight: 1, ...spanned(words, at, at + lengths.words) });
    });
  matchTexts(tokens.text, profile, visit);
}

/** A file's ending with a line. The path before it is read backwards, so that no text makes this slow. */
const placeForm = /\.[A-Za-z]\w{0,4}(?=(?:["']?,? line |["']?[:(])\d)/g;
const longestPath = 300;
const canaryForm = /[A-Za-z0-9][A-Za-z0-9_-]{7,}/g;

function matchTexts(text: string, profile: Profile, visit: Visit): void {
  const at = (match: RegExpMatchArray) => {
    const from = match.index ?? 0;
    return { from, to: from + match[0].length, first: 0, last: 1 };
  };
  if (profile.places.size > 0)
    for (const match of text.matchAll(placeForm)) {
      const { from, to, ...rest } = at(match);
      const start = pathStart(text, from);
      for (const hash of placeHashes(profile, text.slice(start, to))) {
        const weight = profile.places.get(hash);
        if (weight !== undefined) visit({ feature: "places", hash, weight, from: start, to, ...rest });
      }
    }
  if (profile.canaries.size > 0)
    for (const match of text.matchAll(canaryForm)) {
      const hash = hashText(profile.salt, domain.canary, match[0].toLowerCase());
      if (profile.canaries.has(hash)) visit({ feature: "canaries", hash, weight: 2, ...at(match) });
    }
}

function pathStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < longestPath && /[\w.+/\\-]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Of the file's name, and of it with its folder. */
export function placeHashes({ salt }: Pick<Profile, "salt">, path: string): number[] {
  const steps = path.toLowerCase().split(/[/\\]/).filter(Boolean);
  const tails = steps.length > 1 ? [steps.slice(-1), steps.slice(-2)] : [steps];
  return tails.map((tail) => hashText(salt, domain.path, tail.join("/")));
}
