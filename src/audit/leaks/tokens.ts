/**
 * Any text → a stream of hashed tokens that survives what people do to code on its way into a prompt.
 *
 * Code, prose and broken fragments are read alike: quotes, braces, semicolons, `std::`, `#include <…>` and the marks that
 * diffs, mails and listings put before a line are dropped; numbers are hashed by value. There is no state for strings, so an
 * apostrophe in a sentence misleads nobody.
 */
import { domain, mix, type Salt } from "./hash.ts";
import { numberValue } from "./numbers.ts";

/** Tokens of one text, in columns. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  /** The two lanes of each token's salted hash. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** One of {@link kinds}. */
  readonly kind: Uint8Array;
  /** Where each token lies in `text`. */
  readonly start: Int32Array;
  readonly end: Int32Array;
}

export const kinds = { word: 1, number: 2, mark: 3, keyword: 4 } as const;

const keywords = new Set(
  `alignas alignof auto bool break case catch char class const constexpr continue default delete do double else enum explicit
  extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected
  public register return short signed sizeof static static_assert static_cast struct switch template this throw true try
  typedef typename union unsigned using virtual void volatile while`.split(/\s+/),
);

const isLetter = new Uint8Array(128);
const isDigit = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(char)) isLetter[code] = 1;
  if (/[0-9]/.test(char)) isDigit[code] = 1;
}

/** Marks that count, longest first; all others are single characters. */
const longMarks = "<<= >>= <=> :: -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^=".split(" ");
const longFirst = new Set(longMarks.map((mark) => mark.charCodeAt(0)));
const dropped = new Set([..."{};\"'`#\\"].map((char) => char.charCodeAt(0)));
const linePrefix =
  /(?:[ \t]*(?:>[ \t]?|\d{1,6}[ \t]*[|:│→][ \t]?|\|[ \t])|[ \t]+\d{1,6}\t)*(?:[+-](?![+\-=]))?[ \t]*(?:\*(?= ))?/y;
const includeLine = /#[ \t]*include[ \t]*(?:<[^>\n]{1,200}>|\\?"[^"\n]{1,200}")/y;

interface Reading {
  readonly text: string;
  readonly salt: Salt;
  readonly words: Map<string, readonly [number, number, number]>;
  readonly dropComments: boolean;
}

/** Reads a text. With `comments: "drop"` what C++ takes for comments is left out, else only their marks are. */
export function tokensOf(text: string, salt: Salt, comments: "keep" | "drop"): Tokens {
  const room = text.length + 1;
  const made = {
    text,
    a: new Int32Array(room),
    b: new Int32Array(room),
    kind: new Uint8Array(room),
    start: new Int32Array(room),
    end: new Int32Array(room),
  };
  const reading: Reading = { text, salt, words: new Map(), dropComments: comments === "drop" };
  let count = 0;
  let afterStd = false;
  for (let at = lineStart(text, 0); at < text.length; ) {
    const end = tokenEnd(text, at);
    const first = text.charCodeAt(at);
    const next = skipped(reading, at, first, end);
    if (next !== undefined) {
      at = next;
      continue;
    }
    const word = text.slice(at, end);
    if (afterStd && word === "::") count--;
    else {
      const [a, b, kind] = hashed(reading, word, first);
      made.a[count] = a;
      made.b[count] = b;
      made.kind[count] = kind;
      made.start[count] = at;
      made.end[count++] = end;
    }
    afterStd = word === "std";
    at = end;
  }
  return { ...made, count };
}

/** Where to go on when what stands at `at` is no token; undefined when it is one. */
function skipped(reading: Reading, at: number, first: number, end: number): number | undefined {
  const { text } = reading;
  if (first === 10) return lineStart(text, at + 1);
  if (first <= 32 || first > 126) return at + 1;
  if (first === 47) return afterSlash(reading, at);
  if (first === 42 && text.charCodeAt(at + 1) === 47) return at + 2;
  if (first === 92) return afterBackslash(text, at);
  if (first === 35) {
    includeLine.lastIndex = at;
    return includeLine.test(text) ? includeLine.lastIndex : at + 1;
  }
  return end === at + 1 && dropped.has(first) ? end : undefined;
}

/** `\n` and `\"` vanish; `\w+` of a regular expression too, on both sides alike. */
function afterBackslash(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  return next === 10 || Number.isNaN(next) ? at + 1 : at + 2;
}

function afterSlash({ text, dropComments }: Reading, at: number): number | undefined {
  const next = text.charCodeAt(at + 1);
  if (next !== 47 && next !== 42) return undefined;
  if (!dropComments) {
    let end = at + 2;
    while (/[/*!]/.test(text.charAt(end)) && end < at + 200) end++;
    return end;
  }
  const close = next === 47 ? text.indexOf("\n", at) : text.indexOf("*/", at + 2);
  if (close === -1) return text.length;
  return next === 47 ? close : close + 2;
}

/** Past what quotes, diffs and listings put before a line. */
function lineStart(text: string, at: number): number {
  linePrefix.lastIndex = at;
  linePrefix.test(text);
  return Math.max(at, linePrefix.lastIndex);
}

function tokenEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first > 126) return at + 1;
  if (isLetter[first]) {
    let end = at + 1;
    for (let code = text.charCodeAt(end); isLetter[code] || isDigit[code]; code = text.charCodeAt(end)) end++;
    return end;
  }
  if (isDigit[first]) return numberEnd(text, at);
  if (longFirst.has(first))
    for (const mark of longMarks) if (text.startsWith(mark, at)) return at + mark.length;
  return at + 1;
}

const numberForm =
  /0[xX][\da-fA-F](?:'?[\da-fA-F])*[uUlLzZ]*|0[bB][01](?:'?[01])*[uUlLzZ]*|\d(?:['_]?\d)*(?:\.\d+)?(?:[eE][+-]?\d+)?(?:[uUlLzZfF]+(?![A-Za-z_\d]))?/y;

function numberEnd(text: string, at: number): number {
  numberForm.lastIndex = at;
  numberForm.test(text);
  return Math.max(at + 1, numberForm.lastIndex);
}

function hashed({ salt, words }: Reading, word: string, first: number): readonly [number, number, number] {
  const known = words.get(word);
  if (known !== undefined) return known;
  const kind = isDigit[first] ? kinds.number : !isLetter[first] ? kinds.mark : wordKind(word);
  const [a, b] = hashToken(salt, kind === kinds.number ? numberValue(word) : word);
  const made = [a, b, kind] as const;
  words.set(word, made);
  return made;
}

function wordKind(word: string): number {
  return keywords.has(word) ? kinds.keyword : kinds.word;
}

/** The lanes of one token. */
export function hashToken(salt: Salt, word: string): [number, number] {
  let [a, b] = [mix(salt.a, domain.name), mix(salt.b, domain.name)];
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    a = mix(a, code);
    b = mix(b, code ^ 0x5bd1e995);
  }
  return [a, b];
}
