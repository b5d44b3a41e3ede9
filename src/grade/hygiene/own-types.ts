/** Which types are the candidate's own. Aliases don't count: one may stand for a type of the library. Pure. */
import { type LexOptions, lex, type Token } from "./lexer.ts";
import { afterClosing, isSign, isWord, macroName, tokenRuns } from "./source-rule.ts";

/** What a text makes names stand for. */
export interface Declared {
  /** Classes, enums and concepts, and macros if asked for. */
  readonly types: readonly string[];
  /** Names given to other types by `using` and `typedef`, or taken over from a namespace, the target as words. */
  readonly aliases: readonly (readonly [name: string, target: readonly string[]])[];
  /** `namespace name = target`, the target as words. */
  readonly namespaces: readonly (readonly [name: string, target: readonly string[]])[];
  /** Namespaces that take names over from another: `using namespace target`, `using target::name`. The global one is "". */
  readonly pulls: readonly (readonly [into: string, target: readonly string[]])[];
}

export function declaredIn(text: string, options: LexOptions, withMacros: boolean): Declared {
  const lexed = lex(text, options);
  const types = lexed.directives.flatMap((d) =>
    withMacros && d.name === "define" ? [macroName(d) ?? ""] : [],
  );
  const aliases: [string, string[]][] = [];
  const namespaces: [string, string[]][] = [];
  const pulls: [string, string[]][] = [];
  for (const run of tokenRuns(lexed))
    for (let i = 0; i < run.length; i++) {
      const [token, next] = [run[i], run[i + 1]];
      if (token?.kind !== "word" || !declares.has(token.text)) continue;
      if (isWord(token, "namespace") && next?.kind === "word" && isSign(run[i + 2], "="))
        namespaces.push([next.text, pathAt(run, i + 3)]);
      else if (isWord(token, "using")) {
        const named = isSign(run[i + 2], "=") || isSign(run[i + 2], "[");
        if (named && next?.kind === "word") aliases.push([next.text, pathAt(run, i + 3)]);
        else {
          const path = pathAt(run, i + (isWord(next, "namespace") ? 2 : 1));
          if (!isWord(next, "namespace")) aliases.push([path.at(-1) ?? "", path]);
          const into = namespaceAround(run, i);
          if (into !== undefined) pulls.push([into, path]);
        }
      } else if (isWord(token, "typedef"))
        aliases.push(...typedefAt(run, i).map((name): [string, string[]] => [name, []]));
      else types.push(...declaredAt(run, i));
    }
  return { types, aliases, namespaces, pulls };
}

const declares = new Set(["namespace", "using", "typedef", "class", "struct", "union", "enum", "concept"]);

/** No honest name has more parts. */
const longest = 40;

/** The words of the qualified name at a position. */
function pathAt(tokens: readonly Token[], from: number): string[] {
  const path: string[] = [];
  for (let i = from; i < from + longest && (tokens[i]?.kind === "word" || isSign(tokens[i], "::")); i++)
    if (tokens[i]?.kind === "word") path.push(tokens[i]?.text ?? "");
  return path;
}

/** Name of the namespace whose brace is the innermost bracket around a position. */
function namespaceAround(tokens: readonly Token[], at: number): string | undefined {
  const open = tokens[at]?.parent ?? -1;
  if (open < 0) return "";
  const name = tokens[open - 1];
  return name?.kind === "word" && (isWord(tokens[open - 2], "namespace") || isSign(tokens[open - 2], "::"))
    ? name.text
    : undefined;
}

/** The name that a `typedef` gives, if it isn't that of the class itself. */
function typedefAt(tokens: readonly Token[], at: number): string[] {
  const key = isWord(tokens[at + 1], "struct", "class", "enum", "union");
  let i = at + 1;
  for (; i < at + longest && tokens[i] !== undefined && !isSign(tokens[i], ";"); i++)
    if (isSign(tokens[i], "{", "(")) i = afterClosing(tokens, i) - 1;
  const name = tokens[i - 1];
  if (!isSign(tokens[i], ";") || name?.kind !== "word") return [];
  return key && (tokens[at + 2]?.text === name.text || isSign(tokens[at + 2], "{")) ? [] : [name.text];
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
