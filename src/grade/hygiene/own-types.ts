/** Which types are the candidate's own. Aliases don't count: one may stand for a type of the library. Pure. */
import { type LexOptions, lex, type Token } from "./lexer.ts";
import { afterClosing, isSign, isWord, macroName, tokenRuns } from "./source-rule.ts";

/** Names of classes, enums and concepts that a text declares, and of its macros if asked for. */
export function declaredTypes(text: string, options: LexOptions, withMacros: boolean): string[] {
  const lexed = lex(text, options);
  const macros = lexed.directives.flatMap((d) => (d.name === "define" ? [macroName(d) ?? ""] : []));
  return [
    ...(withMacros ? macros : []),
    ...tokenRuns(lexed).flatMap((run) => run.flatMap((_, i) => declaredAt(run, i))),
  ];
}

function declaredAt(tokens: readonly Token[], at: number): string[] {
  const key = tokens[at];
  if (!isWord(key, "class", "struct", "union", "enum", "concept")) return [];
  // `template <class T`: declares no type.
  const before = tokens[at - 1];
  if (isWord(key, "class") && (isSign(before, ",") || (isSign(before, "<") && !isSign(tokens[at + 2], "{"))))
    return [];
  let i = at + 1;
  if (isWord(tokens[i], "class", "struct")) i++;
  while (isSign(tokens[i], "[", "(") || isWord(tokens[i], "alignas", "__attribute__"))
    i = isSign(tokens[i], "[", "(") ? afterClosing(tokens, i) : i + 1;
  // A macro for export may stand before the name.
  if (tokens[i + 1]?.kind === "word" && !isWord(tokens[i + 1], "final")) i++;
  const name = tokens[i];
  const isDeclared = isSign(tokens[i + 1], "{", ":", ";", "=") || isWord(tokens[i + 1], "final");
  return name?.kind === "word" && isDeclared ? [name.text] : [];
}

const declaration =
  /\b(?:class|struct|union|enum|concept)\s+(?:class\s+|struct\s+)?(?:[A-Z_0-9]+(?:\([^()]*\))?\s+)?(\w+)\s*(?:final\s*)?[{:;=]|^[ \t]*#[ \t]*define[ \t]+(\w+)/gm;

/** The same of headers that no patch can change, which may be many: a pattern is precise enough, and twenty times faster. */
export function typesOfTrusted(text: string): string[] {
  return [...text.matchAll(declaration)].map((match) => match[1] ?? match[2] ?? "");
}
