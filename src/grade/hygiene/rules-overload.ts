/** Functions of headers that a test might call in place of its own. */
import type { Token } from "./lexer.ts";
import { isAtNamespaceScope } from "./rules-std.ts";
import {
  afterClosing,
  type Hit,
  isSign,
  isWord,
  type Rule,
  type SourceFile,
  tokenRuns,
} from "./source-rule.ts";

/**
 * A function of a header with the name of one that a test defines for itself, where the test finds it without naming
 * its namespace.
 */
export const overloadRule: Rule = (file, world) => {
  if (!file.reachesTests) return [];
  return file.tokens.flatMap((token, i): Hit[] => {
    if (!declaresFunction(file.tokens, i) || !world.isTestFunction(token.text)) return [];
    const spaces = spacesAround(file.tokens, i);
    if (spaces.length > 0 && !spaces.some(world.isFoundByName)) return [];
    const message = "has the name of a function that a test defines, and may be called instead";
    return [{ kind: "overload", detail: token.text, message, line: token.line }];
  });
};

/** Names of the functions that a text defines at namespace scope. */
export function definedFunctions(tokens: readonly Token[]): string[] {
  const isDefined = (i: number) => {
    const end = afterClosing(tokens, i + 1);
    return isSign(tokens[end], "{") || (isWord(tokens[end], "noexcept") && isSign(tokens[end + 1], "{"));
  };
  return tokens.flatMap((t, i) =>
    declaresFunction(tokens, i) && t.text !== "main" && isDefined(i) ? [t.text] : [],
  );
}

function declaresFunction(tokens: readonly Token[], at: number): boolean {
  const [before, name] = [tokens[at - 1], tokens[at]];
  if (name?.kind !== "word" || !isSign(tokens[at + 1], "(")) return false;
  const hasType = before?.kind === "word" || isSign(before, ">", "*", "&", "]");
  return hasType && !isWord(before, "operator", "return", "new") && isAtNamespaceScope(tokens, at);
}

interface Opened {
  readonly name?: string;
  readonly isInline: boolean;
}

/** The namespace that a brace opens; none for other braces, those of linkage blocks and of unnamed namespaces. */
function openedBy(tokens: readonly Token[], open: number): Opened | undefined {
  let at = open - 1;
  while (
    at > open - 40 &&
    (tokens[at]?.kind === "word" || isSign(tokens[at], "::")) &&
    !isWord(tokens[at], "namespace")
  )
    at--;
  if (!isWord(tokens[at], "namespace")) return undefined;
  const name = tokens[open - 1];
  const isInline = isWord(tokens[at - 1], "inline") || isWord(tokens[open - 2], "inline");
  return { ...(name?.kind === "word" && at < open - 1 ? { name: name.text } : {}), isInline };
}

/** Honest code nests no deeper. */
const deepest = 200;

/**
 * Names of the namespaces whose members a position belongs to: the innermost one, and what is around it as long as
 * that is inline. Empty for the global one, and where that can't be told.
 */
function spacesAround(tokens: readonly Token[], at: number): string[] {
  const names: string[] = [];
  let depth = 0;
  for (
    let open = tokens[at]?.parent ?? -1;
    open >= 0 && depth++ < deepest;
    open = tokens[open]?.parent ?? -1
  ) {
    const opened = openedBy(tokens, open);
    if (opened?.name === undefined) continue;
    names.push(opened.name);
    if (!opened.isInline) return names;
  }
  return [];
}

/**
 * Names of namespaces whose functions a call without a namespace finds: those that are used, that an alias or an inline
 * namespace leads to, and those that declare classes, enums or alias templates, whose objects bring their namespace
 * along. A namespace that a test opens counts, too.
 */
export function openSpaces(file: Pick<SourceFile, "tokens" | "directives">, isTest: boolean): string[] {
  return tokenRuns(file).flatMap((tokens) =>
    tokens.flatMap((token, i): string[] => {
      const after = tokens[i + 1];
      if (isWord(token, "using") && isSign(tokens[i + 2], "="))
        return isSign(tokens[i - 1], ">") ? spacesAround(tokens, i) : [];
      if (isWord(token, "using")) return wordsFrom(tokens, i + 1);
      if (isWord(token, "namespace")) {
        const isInline = isWord(tokens[i - 1], "inline") || isWord(after, "inline");
        return isTest || isInline || isSign(tokens[i + 2], "=") ? wordsFrom(tokens, i + 1) : [];
      }
      const isType = isWord(token, "class", "struct", "union", "enum") && !isSign(tokens[i - 1], "<", ",");
      return isType ? spacesAround(tokens, i) : [];
    }),
  );
}

/** No honest name has more tokens. */
const longest = 80;

function wordsFrom(tokens: readonly Token[], from: number): string[] {
  const words: string[] = [];
  for (let i = from; i < from + longest && tokens[i] !== undefined && !isSign(tokens[i], ";", "{", "("); i++)
    if (tokens[i]?.kind === "word") words.push(tokens[i]?.text ?? "");
  return words;
}
