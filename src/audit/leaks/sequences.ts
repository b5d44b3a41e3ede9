/** Hashes of tokens in a row. Profile and scan go through these same functions, or nothing would match. */
import { domain, mix, type Salt, type Sieve, type Starts, seal } from "./hash.ts";
import { lengths } from "./profile.ts";
import { kinds, type Tokens } from "./tokens.ts";

/** Columns of hashed things: tokens, words or numbers. */
export interface Lanes {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** How sequences are looked for. What `sieve` and `starts` rule out is left out. */
interface Search {
  readonly salt: Salt;
  readonly kind?: number;
  readonly sieve?: Sieve;
  readonly starts?: Starts;
}

/**
 * Every sequence that starts at `from` and has one of the wanted lengths, shortest first, in one pass.
 * `wanted` is indexed by length.
 */
export function sequencesAt(
  { a, b, count }: Lanes,
  { salt, kind = domain.sequence, sieve, starts }: Search,
  from: number,
  wanted: Uint8Array,
  visit: (hash: number, length: number) => void,
): void {
  let [x, y] = [mix(salt.a, kind), mix(salt.b, kind)];
  const most = Math.min(wanted.length - 1, count - from);
  for (let length = 1; length <= most; length++) {
    x = mix(x, a[from + length - 1] ?? 0);
    y = mix(y, b[from + length - 1] ?? 0);
    if (length === lengths.gram && starts !== undefined && !starts.may(x)) return;
    if (wanted[length] === 1 && (sieve === undefined || sieve.may(x))) visit(seal(x, y), length);
  }
}

/** One sequence. */
export function sequenceHash(
  lanes: Lanes,
  salt: Salt,
  from: number,
  to: number,
  kind: number = domain.sequence,
): number {
  let [x, y] = [mix(salt.a, kind), mix(salt.b, kind)];
  for (let i = from; i < to; i++) {
    x = mix(x, lanes.a[i] ?? 0);
    y = mix(y, lanes.b[i] ?? 0);
  }
  return seal(x, y);
}

/** For each name where it occurred before, or -1. */
export function earlier(tokens: Tokens): Int32Array {
  const last = new Map<number, number>();
  const found = new Int32Array(tokens.count).fill(-1);
  for (let i = 0; i < tokens.count; i++) {
    if (tokens.kind[i] !== kinds.word) continue;
    const key = (tokens.a[i] ?? 0) * 0x1_0000 + ((tokens.b[i] ?? 0) >>> 16);
    found[i] = last.get(key) ?? -1;
    last.set(key, i);
  }
  return found;
}

/** The sequence at `from` with names replaced by the distance to where they occurred before in it. */
export function renamedHash(tokens: Tokens, before: Int32Array, salt: Salt, from: number): number {
  let [x, y] = [mix(salt.a, domain.renamed), mix(salt.b, domain.renamed)];
  for (let i = from; i < from + lengths.renamed; i++) {
    const seen = before[i] ?? -1;
    const isName = tokens.kind[i] === kinds.word;
    const step = seen >= from ? i - seen : 0;
    x = mix(x, isName ? step : (tokens.a[i] ?? 0));
    y = mix(y, isName ? step + 1000 : (tokens.b[i] ?? 0));
  }
  return seal(x, y);
}

/** Keywords and numbers that a sequence needs to have a shape. */
export const leastTelling = 3;

/** How many keywords and numbers stand before each token, and in all: to pass over prose quickly. */
export function tellingBefore({ kind, count }: Tokens): Int32Array {
  const sums = new Int32Array(count + 1);
  for (let i = 0; i < count; i++)
    sums[i + 1] = (sums[i] ?? 0) + (kind[i] === kinds.keyword || kind[i] === kinds.number ? 1 : 0);
  return sums;
}

/** Whether a sequence has shape enough to be told from any other: heads of loops, marks alone, or one number again and again have none. */
export function hasShape(tokens: Tokens, from: number): boolean {
  const seen = new Set<number>();
  let [telling, loops] = [0, 0];
  for (let i = from; i < from + lengths.renamed; i++) {
    const isName = tokens.kind[i] === kinds.word;
    seen.add(isName ? -1 : (tokens.a[i] ?? 0));
    if (tokens.kind[i] === kinds.keyword || tokens.kind[i] === kinds.number) telling++;
    if (tokens.kind[i] === kinds.keyword && tokens.text.startsWith("for", tokens.start[i])) loops++;
  }
  return seen.size >= 8 && telling >= leastTelling && loops < 2;
}
