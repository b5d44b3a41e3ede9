/** Which names and numbers are the oracle's own: in no public text, not the library's, and not what anybody would write. */
import { commonWords } from "./common-words.ts";
import { isCommonNumber, numberValue } from "./numbers.ts";
import { nameParts } from "./words.ts";

export interface Rarity {
  /** Whether a name or number as it is written is the oracle's own. */
  isRare(word: string): boolean;
  /** Whether no public text has a word, and it isn't the library's. */
  isOwn(word: string): boolean;
  /** An arbitrary number for a rare word, the same each time; undefined for others. */
  rareNumber(word: string): number | undefined;
  /** Whether a part of a name, in lower case, is the oracle's own. */
  isRarePart(part: string): boolean;
  /** Whether a word says nothing by itself. */
  isFiller(word: string): boolean;
}

const anyWord = /[A-Za-z_$][\w$]*|\d[\w.']*/g;
const fillers = new Set(
  `about after again also because been before being both cannot could does doing done each else ever every from have having
  here into itself just like made make more most much must never once only other over same shall should since some such than
  that their them then there these they this those through thus upon very were what when where which while will with within
  without would your`.split(/\s+/),
);

/** Compares the oracle's code with all public texts. */
export function rarityOf(code: readonly string[], shown: readonly string[]): Rarity {
  const seen = new Set<string>();
  for (const text of shown)
    for (const [word] of text.matchAll(anyWord)) {
      seen.add(/^\d/.test(word) ? numberValue(word) : word);
      for (const part of nameParts(word)) seen.add(part);
    }
  for (const text of code) for (const [, name] of text.matchAll(/\bstd\s*::\s*(\w+)/g)) seen.add(name ?? "");
  const numbers = new Map<string, number>();
  const isRarePart = (part: string) =>
    part.length >= 3 && !/^\d/.test(part) && !seen.has(part) && !isCommon(part);
  const isRare = (word: string) => {
    if (/^\d/.test(word)) return !seen.has(numberValue(word)) && !isCommonNumber(numberValue(word));
    if (word.length < 3 || !/^[A-Za-z_$]/.test(word) || seen.has(word) || commonWords.has(word)) return false;
    const parts = nameParts(word);
    return parts.length > 1 || parts.some(isRarePart);
  };
  return {
    isRare,
    isRarePart,
    isOwn: (word) => /^[A-Za-z_]\w{2,}$/.test(word) && !seen.has(word),
    isFiller: (word) => fillers.has(word),
    rareNumber: (word) => {
      if (!isRare(word)) return undefined;
      const key = /^\d/.test(word) ? numberValue(word) : word;
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    },
  };
}

/** Also in the plural, and as a past form. */
function isCommon(part: string): boolean {
  return [part, part.replace(/s$/, ""), part.replace(/e?d$/, ""), part.replace(/ing$/, "")].some((form) =>
    commonWords.has(form),
  );
}
