/** Comparisons that a test's own objects fit better than those that the baseline has. */
import type { Token } from "./lexer.ts";
import { itemsOf, takingOf } from "./references.ts";
import { afterAngle, afterClosing, type Hit, isSign, isWord, type Rule } from "./source-rule.ts";

const comparison = /^(==|!=|<|>|<=|>=|<=>|not_eq)$/;

/** No honest list of two parameters has more tokens. */
const longest = 400;

/** No honest comparison takes what it could change, nor is a member that isn't `const`. */
export const comparisonRule: Rule = (file) => {
  if (!file.reachesTests) return [];
  return file.tokens.flatMap((token, i): Hit[] => {
    if (!isWord(token, "operator") || isSign(file.tokens[i - 1], "::", ".", "->")) return [];
    const open = parametersAt(file.tokens, i);
    const name = open === undefined ? "" : textOf(file.tokens.slice(i + 1, open));
    if (open === undefined || !comparison.test(name) || !isDeclared(file.tokens, i)) return [];
    const end = afterClosing(file.tokens, open);
    const parameters = itemsOf(file.tokens.slice(open + 1, Math.min(end - 1, open + longest)));
    const generic = templateNames(file.tokens, i);
    const isWriting =
      end - open > longest ||
      parameters.some((p) => /^(writable|rvalue)$/.test(takingOf(p, generic, new Set())));
    const isMember = parameters.length === 1 && !isWord(parameters[0]?.[0], "this");
    if (!isWriting && !(isMember && !isConstMember(file.tokens, end))) return [];
    const message =
      "takes what it compares as something that it could change, and is called in place of others";
    return [{ kind: "operator", detail: `operator ${name}`, message, line: token.line }];
  });
};

function textOf(tokens: readonly Token[]): string {
  return tokens.map((t) => t.text).join("");
}

function parametersAt(tokens: readonly Token[], at: number): number | undefined {
  for (let i = at + 1; i < at + 6; i++) if (isSign(tokens[i], "(")) return i;
  return undefined;
}

/** Whether a type stands before: what a call has there is a sign or a statement's word. */
function isDeclared(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind === "word")
    return !isWord(before, "return", "co_return", "co_yield", "throw", "else", "and", "or", "not");
  return isSign(before, ">") || (isSign(before, "&") && !isSign(tokens[at - 2], "&"));
}

/** `const` and no `&&` among what follows the parameters. */
function isConstMember(tokens: readonly Token[], from: number): boolean {
  let isConst = false;
  for (let i = from; i < from + 40 && tokens[i] !== undefined; i++) {
    if (isSign(tokens[i], "{", ";", "=") || isWord(tokens[i], "requires")) break;
    if (isWord(tokens[i], "const")) isConst = true;
    if (isSign(tokens[i], "&") && isSign(tokens[i + 1], "&")) return false;
    if (isSign(tokens[i], "(")) i = afterClosing(tokens, i) - 1;
  }
  return isConst;
}

/** Names of the template head before a declaration. */
function templateNames(tokens: readonly Token[], at: number): Set<string> {
  const names = new Set<string>();
  const from = headBefore(tokens, at);
  const end = from === undefined ? undefined : afterAngle(tokens, from + 1);
  if (from === undefined || end === undefined) return names;
  for (const item of itemsOf(tokens.slice(from + 2, end - 1))) {
    const upTo = item.findIndex((t) => isSign(t, "="));
    const name = upTo < 0 ? item.at(-1) : item[upTo - 1];
    if (name?.kind === "word") names.add(name.text);
  }
  return names;
}

function headBefore(tokens: readonly Token[], at: number): number | undefined {
  for (let i = at - 1; i > at - 80 && i >= 0 && !isSign(tokens[i], ";", "{", "}"); i--)
    if (isWord(tokens[i], "template") && isSign(tokens[i + 1], "<")) return i;
  return undefined;
}
