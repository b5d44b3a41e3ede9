/** The words and numbers of a text, without punctuation and case, names taken apart: for prose and pseudo-code. */

import type { Salt } from "./hash.ts";
import { hashToken, kinds, type Tokens } from "./tokens.ts";

/** Words of one text, in columns. */
export interface Words {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/** `filledAcross_the_end2` gives five words; a number is one. */
export function wordsOf(tokens: Tokens, salt: Salt): Words {
  const room = roomFor(tokens);
  const made = {
    a: new Int32Array(room),
    b: new Int32Array(room),
    start: new Int32Array(room),
    end: new Int32Array(room),
  };
  const known = new Map<string, readonly [number, number]>();
  let count = 0;
  const add = (word: string, start: number, end: number) => {
    const hash = known.get(word) ?? hashToken(salt, word);
    known.set(word, hash);
    [made.a[count], made.b[count]] = hash;
    made.start[count] = start;
    made.end[count++] = end;
  };
  for (let i = 0; i < tokens.count; i++) {
    if (tokens.kind[i] === kinds.mark) continue;
    const [start, end] = [tokens.start[i] ?? 0, tokens.end[i] ?? 0];
    if (tokens.kind[i] === kinds.number) add(tokens.text.slice(start, end), start, end);
    else
      for (const [from, to] of partsOf(tokens.text, start, end))
        add(tokens.text.slice(from, to).toLowerCase(), from, to);
  }
  return { ...made, count };
}

/** The parts of a name, in lower case. */
export function nameParts(name: string): string[] {
  return partsOf(name, 0, name.length).map(([from, to]) => name.slice(from, to).toLowerCase());
}

function roomFor(tokens: Tokens): number {
  let room = 1;
  for (let i = 0; i < tokens.count; i++)
    if (tokens.kind[i] !== kinds.mark) room += 1 + (((tokens.end[i] ?? 0) - (tokens.start[i] ?? 0)) >> 1);
  return room;
}

function partsOf(text: string, start: number, end: number): [number, number][] {
  const parts: [number, number][] = [];
  let from = start;
  const cut = (to: number) => {
    if (to > from) parts.push([from, to]);
  };
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isSeparator = code === 95 || code === 36;
    const isHump = at > from && isUpper(code) && !isUpper(text.charCodeAt(at - 1));
    if (!isSeparator && !isHump) continue;
    cut(at);
    from = isSeparator ? at + 1 : at;
  }
  cut(end);
  return parts;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}
