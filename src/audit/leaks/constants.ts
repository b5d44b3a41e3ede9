/** The constants of a text in order, in windows of four. */
import { domain, mix, type Salt, seal } from "./hash.ts";
import { isCommonNumber, isProgression, numberValue } from "./numbers.ts";
import { lengths } from "./profile.ts";
import type { Lanes } from "./sequences.ts";
import { kinds, type Tokens } from "./tokens.ts";

/** One number of a text. */
export interface Constant {
  /** Index among the tokens. */
  readonly at: number;
  readonly value: string;
  readonly a: number;
  readonly b: number;
}

/** Four constants: their hash and the first and last of them, as indices into the row. */
export interface Window {
  readonly hash: number;
  readonly members: readonly number[];
}

/** Numbers that stand close together form a row; `gap` is in tokens. */
export function rowsOf(tokens: Tokens, gap: number, isWanted: (value: string) => boolean): Constant[][] {
  const rows: Constant[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < tokens.count; at++) {
    if (tokens.kind[at] !== kinds.number) continue;
    const value = numberValue(tokens.text.slice(tokens.start[at], tokens.end[at]));
    if (!isWanted(value)) continue;
    if (at - last > gap) rows.push([]);
    rows.at(-1)?.push({ at, value, a: tokens.a[at] ?? 0, b: tokens.b[at] ?? 0 });
    last = at;
  }
  return rows.filter((row) => row.length >= lengths.numbers);
}

/** Both rows of constants that profile and scan look at: close ones, and farther ones without 0 and 1. */
export function allRows(tokens: Tokens): Constant[][] {
  return [
    ...rowsOf(tokens, 12, () => true),
    ...rowsOf(tokens, 30, (value) => value !== "0" && value !== "1"),
  ];
}

/** Four in a row, or four of five with one of the inner ones left out. */
export function windowsOf(row: readonly Constant[], salt: Salt): Window[] {
  const found: Window[] = [];
  for (let i = 0; i + 3 < row.length; i++)
    for (const members of [
      [i, i + 1, i + 2, i + 3],
      [i, i + 2, i + 3, i + 4],
      [i, i + 1, i + 3, i + 4],
      [i, i + 1, i + 2, i + 4],
    ]) {
      const window = members.flatMap((at) => row[at] ?? []);
      if (window.length === 4) found.push({ hash: windowHash(window, salt), members });
    }
  return found;
}

function windowHash(window: readonly Constant[], salt: Salt): number {
  let [x, y] = [mix(salt.a, domain.numbers), mix(salt.b, domain.numbers)];
  for (const { a, b } of window) {
    x = mix(x, a);
    y = mix(y, b);
  }
  return seal(x, y);
}

/** How much a constant tells: nothing up to ten, one where anybody may think of it, three otherwise. */
export function tellingOf(constants: readonly Constant[]): number {
  return constants.reduce((sum, { value }) => sum + (isTiny(value) ? 0 : isCommonNumber(value) ? 1 : 3), 0);
}

/** Whether a window of the oracle is worth keeping: rows of small numbers, or that anybody could continue, are everywhere. */
export function isTelling({ members }: Window, row: readonly Constant[]): boolean {
  const values = members.map((at) => row[at]?.value ?? "");
  if (isProgression(values) || new Set(values).size < 3) return false;
  return values.filter((value) => Number(value) > 20).length >= 2;
}

function isTiny(value: string): boolean {
  return /^(?:\d|10|\d\.\d)$/.test(value);
}

/** Whether a whole list tells by itself: long enough, varied, and not a row that goes on by a rule. */
export function isTellingList(row: readonly Constant[]): boolean {
  if (row.length < lengths.shortestList || row.length > lengths.longestList) return false;
  if (new Set(row.map(({ value }) => value)).size < 5) return false;
  const windows = row.slice(3).map((_, i) => row.slice(i, i + 4).map(({ value }) => value));
  return windows.filter(isProgression).length * 2 <= windows.length;
}

/** A row as columns, so that lists of any length are hashed like other sequences. */
export function lanesOf(row: readonly Constant[]): Lanes {
  return {
    count: row.length,
    a: Int32Array.from(row, ({ a }) => a),
    b: Int32Array.from(row, ({ b }) => b),
  };
}
