/** What a text asserts: the expressions inside of `assert(…)`, `EXPECT_EQ(…)` and their kin. */
import { kinds, type Tokens } from "./tokens.ts";

/** A stretch of tokens, from its first to past its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One asserted condition, and its two sides where it compares. */
export interface Assertion extends Span {
  readonly sides?: readonly [Span, Span];
}

const oneArgument =
  /^(?:assert|static_assert|(?:ASSERT|EXPECT|CHECK|REQUIRE|VERIFY)(?:_TRUE|_FALSE|_THAT|_THROWS\w*)?|check|require|verify|expect|BOOST_(?:TEST|CHECK|REQUIRE))$/;
const twoArguments =
  /^(?:(?:ASSERT|EXPECT|CHECK|REQUIRE|BOOST_CHECK|BOOST_REQUIRE)_(?:EQ|EQUAL|NE|LT|LE|GT|GE|STREQ|\w*EQ)|assertEquals?|assert_equal|assert_eq|check_eq\w*)$/;
const comparisons = new Set(["==", "!=", "<", "<=", ">", ">="]);
const farthest = 400;

/** All of them, with conditions that `and` joins taken apart as well. */
export function assertionsOf(tokens: Tokens): Assertion[] {
  const found: Assertion[] = [];
  for (let i = 0; i + 1 < tokens.count; i++) {
    if (tokens.kind[i] !== kinds.word && tokens.kind[i] !== kinds.keyword) continue;
    if (wordAt(tokens, i + 1) !== "(") continue;
    const name = wordAt(tokens, i);
    if (twoArguments.test(name)) found.push(...comparedArguments(tokens, i + 2));
    else if (oneArgument.test(name)) found.push(...conditions(tokens, i + 2));
  }
  return found;
}

/** The token as it is written. */
export function wordAt(tokens: Tokens, at: number): string {
  return tokens.text.slice(tokens.start[at], tokens.end[at]);
}

function comparedArguments(tokens: Tokens, from: number): Assertion[] {
  const { to, cuts } = topLevel(tokens, from, (mark) => mark === ",");
  const [first, second = to] = cuts;
  if (first === undefined) return [];
  return [
    {
      from,
      to: second,
      sides: [
        { from, to: first },
        { from: first + 1, to: second },
      ],
    },
  ];
}

function conditions(tokens: Tokens, from: number): Assertion[] {
  const { to, cuts } = topLevel(tokens, from, (mark) => mark === "&&" || mark === ",");
  if (to === from) return [];
  const edges = [from - 1, ...cuts, to];
  const parts = edges.slice(1).map((end, i) => condition(tokens, { from: (edges[i] ?? 0) + 1, to: end }));
  const comma = cuts.find((at) => wordAt(tokens, at) === ",") ?? to;
  return parts.length > 1 ? [{ from, to: comma }, ...parts] : parts;
}

function condition(tokens: Tokens, span: Span): Assertion {
  const { cuts } = topLevel(tokens, span.from, (mark) => comparisons.has(mark), span.to);
  const [cut] = cuts;
  if (cut === undefined || cuts.length > 1) return span;
  return {
    ...span,
    sides: [
      { from: span.from, to: cut },
      { from: cut + 1, to: span.to },
    ],
  };
}

/** Up to the bracket that closes what `from` is in, and where wanted marks stand outside of inner brackets. */
function topLevel(
  tokens: Tokens,
  from: number,
  isCut: (mark: string) => boolean,
  end = Math.min(tokens.count, from + farthest),
): { to: number; cuts: number[] } {
  const cuts: number[] = [];
  let depth = 0;
  for (let i = from; i < end; i++) {
    if (tokens.kind[i] !== kinds.mark) continue;
    const mark = wordAt(tokens, i);
    if (mark === "(" || mark === "[") depth++;
    else if (mark === ")" || mark === "]") {
      if (depth-- === 0) return { to: i, cuts };
    } else if (depth === 0 && isCut(mark)) cuts.push(i);
  }
  return { to: end, cuts };
}
