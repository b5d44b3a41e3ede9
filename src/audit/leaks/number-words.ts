/** Numbers in words: "one hundred and twenty-seven" is 127. */

const units =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen`.split(/\s+/);
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const scales = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);
const values = new Map<string, number>([
  ...units.map((word, i) => [word, i] as const),
  ...tens.map((word, i) => [word, 20 + 10 * i] as const),
]);

/** One number in words, from its first to past its last character. */
export interface SpelledNumber {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

interface Word {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const anyNumberWord = new RegExp(`\\b(?:${[...values.keys(), ...scales.keys()].join("|")})\\b`, "gi");

/** All numbers in words, in order. */
export function spelledNumbers(text: string): SpelledNumber[] {
  if ((text.match(anyNumberWord)?.length ?? 0) < 4) return [];
  const words = [...text.matchAll(/[A-Za-z]+/g)].map(
    (match): Word => ({ word: match[0].toLowerCase(), from: match.index, to: match.index + match[0].length }),
  );
  const found: SpelledNumber[] = [];
  for (let i = 0; i < words.length; ) {
    const number = numberAt(words, i, text);
    if (number === undefined) i++;
    else {
      found.push({ from: words[i]?.from ?? 0, to: words[number.next - 1]?.to ?? 0, value: number.value });
      i = number.next;
    }
  }
  return found;
}

/** Sum of the finished thousands, what is being counted, and the value of the word before. */
interface Count {
  readonly total: number;
  readonly current: number;
  readonly last: number;
}

function numberAt(
  words: readonly Word[],
  from: number,
  text: string,
): { value: number; next: number } | undefined {
  const startsByArticle = words[from]?.word === "a" && scales.has(words[from + 1]?.word ?? "");
  let count: Count = { total: 0, current: startsByArticle ? 1 : -1, last: 1 };
  let next = startsByArticle ? from + 1 : from;
  for (;;) {
    // "one hundred and twenty" goes on, "sixteen and a hundred" and "one, two" don't.
    const joins = next > from && words[next]?.word === "and" && count.last >= 100 ? 1 : 0;
    const word = words[next + joins];
    const before = words[next - 1];
    if (word === undefined) break;
    if (
      before !== undefined &&
      next > from &&
      !/^[\s-]+(?:and\s+)?$/i.test(text.slice(before.to, Math.min(word.from, before.to + 40)))
    )
      break;
    const grown = grow(count, word.word);
    if (grown === undefined) break;
    count = grown;
    next += 1 + joins;
  }
  return count.current < 0 || next === from ? undefined : { value: count.total + count.current, next };
}

function grow({ total, current, last }: Count, word: string): Count | undefined {
  const scale = scales.get(word);
  if (scale !== undefined) {
    if (current < 0) return undefined;
    if (scale === 100) return last < 100 ? { total, current: current * 100, last: 100 } : undefined;
    return { total: total + current * scale, current: 0, last: scale };
  }
  const value = values.get(word);
  if (value === undefined) return undefined;
  if (current < 0) return { total, current: value, last: value };
  const fits = last >= 100 || (last >= 20 && value > 0 && value < 10);
  return fits ? { total, current: current + value, last: value } : undefined;
}
