/** What makes an oracle distinctive, as salted hashes: the profile that texts are scanned for. No text of the oracle is in it. */
import type { Salt, Starts } from "./hash.ts";

/** Lengths of the sequences that are hashed, in tokens, words or numbers. */
export const lengths = {
  run: 25,
  plainRun: 40,
  renamed: 30,
  gram: 5,
  words: 6,
  numbers: 4,
  longestPhrase: 48,
  shortestList: 6,
  longestList: 32,
} as const;

/** How much one expression or literal tells: 2 by itself, 1 together with others, 0 only where a message quotes it. */
export type Weight = 0 | 1 | 2;

/** Hashes of the oracle's features, under one salt. */
export interface Profile {
  readonly salt: Salt;
  /** The task's id. */
  readonly task: string;
  /** The first five tokens of runs and phrases. */
  readonly starts: Starts;
  /** Sequences of 25 tokens with something rare among them, and of 40 without. */
  readonly runs: ReadonlySet<number>;
  /** Sequences of 30 tokens with each name replaced by where it last occurred. */
  readonly renamed: ReadonlySet<number>;
  /** Sequences of 5 tokens with a name or number of the oracle's own, and an arbitrary number for that one. */
  readonly grams: ReadonlyMap<number, number>;
  /** Asserted expressions and string literals. */
  readonly phrases: ReadonlyMap<number, Phrase>;
  /** The two sides of asserted comparisons. */
  readonly operands: ReadonlyMap<number, Weight>;
  /** Four constants in a row, or four of five. */
  readonly numbers: ReadonlySet<number>;
  /** Whole lists of constants, by their length. */
  readonly lists: ReadonlyMap<number, number>;
  /** Names of several parts, and how much each tells. */
  readonly names: ReadonlyMap<number, Weight>;
  /** Six words in a row of comments, messages and distinctive code. */
  readonly words: ReadonlySet<number>;
  /** Files of the oracle: 2 for a path or an unusual name, 1 for one that needs its folder. */
  readonly places: ReadonlyMap<number, Weight>;
  readonly canaries: ReadonlySet<number>;
}

/** A phrase's length in tokens goes with it, so that a scan tries no others. */
export interface Phrase {
  readonly length: number;
  readonly weight: Weight;
}

/** A profile while it is built. */
export interface Draft {
  readonly runs: Set<number>;
  readonly renamed: Set<number>;
  readonly grams: Map<number, number>;
  readonly phrases: Map<number, Phrase>;
  readonly operands: Map<number, Weight>;
  readonly numbers: Set<number>;
  readonly lists: Map<number, number>;
  readonly names: Map<number, Weight>;
  readonly words: Set<number>;
  readonly places: Map<number, Weight>;
  readonly canaries: Set<number>;
}

/** Nothing yet. */
export function emptyDraft(): Draft {
  return {
    runs: new Set(),
    renamed: new Set(),
    grams: new Map(),
    phrases: new Map(),
    operands: new Map(),
    numbers: new Set(),
    lists: new Map(),
    names: new Map(),
    words: new Set(),
    places: new Map(),
    canaries: new Set(),
  };
}
