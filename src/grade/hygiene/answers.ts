/** What the compiler answered to probes of signatures: types, read out of the names of symbols. Pure. */
import type { ElfFile } from "../elf.ts";

/** What a call gives. */
export interface Answer {
  /** The type as the compiler writes it into names of symbols: without aliases, the same in every unit. */
  readonly type: string;
  /** Whether that is what the baseline's declaration means, read in the header that answers. */
  readonly asDeclared: boolean;
}

/** Reads the answers out of the names in the compiled unit, by the number of their probe; none for calls that aren't. */
export function answersIn(elf: Pick<ElfFile, "symbols">, salt: string): Map<number, Answer> {
  const answers = new Map<number, Answer>();
  const pattern = new RegExp(`^_Z\\d+ho${salt}_answer_(\\d+)I(.+)Lb([01])EEvv$`);
  for (const { name } of elf.symbols) {
    const match = name.includes(salt) ? pattern.exec(name) : null;
    const type = match?.[2]?.replaceAll(salt, "");
    if (match && type !== undefined && !/^\d+ho_none$/.test(type))
      answers.set(Number(match[1]), { type, asDeclared: match[3] === "1" });
  }
  return answers;
}

/**
 * Whether a type may stand for the baseline's: it is the same, or the declaration still means it and no class of the
 * candidate's own is behind it, so that an iterator of a list may take the place of one of a vector.
 */
export function mayReplace(before: string, after: Answer): boolean {
  // A value that is `const` is the same value.
  if (before === after.type || `K${before}` === after.type) return true;
  if (!after.asDeclared) return false;
  const reference = (type: string) => /^[RO]?/.exec(type)?.[0];
  if (reference(before) !== reference(after.type)) return false;
  const isNumber = (type: string) => /^[RO]?K?[abcdefghijlmnostwxy]$/.test(type);
  if (isNumber(before) || isNumber(after.type)) return isNumber(before) && isNumber(after.type);
  const known = new Set(ownNames(before));
  return ownNames(after.type).every((name) => known.has(name));
}

/** Names in a mangled type that aren't the library's. */
function ownNames(type: string): string[] {
  const names: string[] = [];
  const part =
    /N[rVK]*(?:St|S[0-9A-Z]*_(?=(?:12basic_string|4list)I))|N9__gnu_cxx17__normal_iterator|S[0-9A-Z]*_|L[a-z]n?\d+E|A\d+_|St|\d+|./gy;
  for (let match = part.exec(type); match; match = part.exec(type)) {
    const [text] = match;
    const isNested = /^N.*(?:St|_)$/.test(text) && (text.endsWith("St") || names.length === 0);
    if (text === "St" || isNested) part.lastIndex = afterNames(type, part.lastIndex, isNested);
    else if (/^\d/.test(text)) {
      names.push(type.slice(part.lastIndex, part.lastIndex + Number(text)));
      part.lastIndex += Number(text);
    }
  }
  return names;
}

/** Position behind one name with its length, or behind all that follow one another. */
function afterNames(type: string, from: number, all: boolean): number {
  let at = from;
  do {
    const digits = /^\d+/.exec(type.slice(at, at + 8))?.[0];
    if (digits === undefined) break;
    at += digits.length + Number(digits);
  } while (all);
  return at;
}
