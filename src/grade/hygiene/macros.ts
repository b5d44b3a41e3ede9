/**
 * Stage B of hygiene: macros of the candidate's headers that reach the tests, seen by the real preprocessor.
 * Pure: two readings in, hits out.
 */
import { featureMacros, keywords, libraryNames, steering } from "./names.ts";
import type { OwnMacro, Preprocessed } from "./preprocessed.ts";
import type { FileHit } from "./source-rule.ts";

/** Macros of one reading, without what is only needed to judge it. */
export interface MacroFacts {
  readonly macros: readonly Pick<OwnMacro, "name" | "text">[];
  readonly lost: readonly string[];
}

export function macroFacts(read: Preprocessed): MacroFacts {
  return {
    macros: read.macros.map(({ name, text }) => ({ name, text })),
    lost: read.lost.map(({ name }) => name),
  };
}

/** @param mentioned Every word of the task's test units. */
export function newMacros(
  before: MacroFacts,
  after: Preprocessed,
  mentioned: ReadonlySet<string>,
): FileHit[] {
  const had = new Set(before.macros.map(({ name, text }) => `${name}${text}`));
  const hadLost = new Set(before.lost);
  const system = wordsOnce(after.system);
  const defined = after.macros
    .filter(({ name, text }) => !had.has(`${name}${text}`))
    .flatMap((macro) => hit(macro, whyNot(macro, system, mentioned)));
  const lost = after.lost
    .filter(({ name }) => !hadLost.has(name) && name !== "NDEBUG")
    .flatMap((macro) =>
      hit(macro, "undefines a macro of the library or the compiler before the tests are read"),
    );
  return [...defined, ...lost];
}

function hit(macro: Pick<OwnMacro, "name" | "file" | "line">, why: string | undefined): FileHit[] {
  if (why === undefined) return [];
  return [{ kind: "macro", detail: macro.name, message: why, file: macro.file, line: macro.line }];
}

/** The words of a text, read when they are first asked for and then kept: there may be thousands of macros. */
function wordsOnce(text: string): () => ReadonlySet<string> {
  let words: Set<string> | undefined;
  return () => {
    if (words) return words;
    words = new Set();
    for (const [word] of text.matchAll(/[\w$]+/g)) words.add(word);
    return words;
  };
}

function whyNot(
  macro: OwnMacro,
  system: () => ReadonlySet<string>,
  mentioned: ReadonlySet<string>,
): string | undefined {
  const { name } = macro;
  if (featureMacros.has(name)) return undefined;
  if (keywords.has(name)) return "a macro with the name of a keyword reaches the tests";
  if (mentioned.has(name)) return "a macro with a name that a test uses reaches the tests";
  if (libraryNames.has(name)) return "a macro with a name of the library reaches the tests";
  if (macro.replacesSystem)
    return "replaces a macro of the library or the compiler before the tests are read";
  if (steering.test(name)) return "a macro that steers the compiler or the library reaches the tests";
  // A reserved or lower-case name matters if the library itself uses it.
  if (/^_|[a-z]/.test(name) && system().has(name))
    return "a macro with a name that the library's headers use reaches the tests";
  return undefined;
}
