/** Functions and constructors that headers declare, by text, and how each takes its arguments. Pure. */
import type { Token } from "./lexer.ts";
import { itemsOf, type Taking, takingOf } from "./references.ts";
import { afterAngle, afterClosing, isSign, isWord, type SourceFile } from "./source-rule.ts";

/** A function that tests could call. Namespaces don't count: a patch may open others. */
export interface Callable {
  readonly file: string;
  readonly line: number;
  /** The innermost class around it. */
  readonly owner?: string;
  readonly name: string;
  readonly takes: readonly Taking[];
  /** The last parameter stands for any number of them. */
  readonly isPack: boolean;
}

interface Scope {
  readonly owner?: string;
  isPublic: boolean;
  readonly depth: number;
}

/** Honest code nests no deeper. */
const deepest = 60;

/** Public functions, constructors and operators. `references` holds names that stand for references. */
export function callablesIn(file: SourceFile, references: ReadonlySet<string>): Callable[] {
  const found: Callable[] = [];
  const { tokens, path } = file;
  const readScope = (from: number, to: number, scope: Scope): void => {
    for (let i = from; i < to; ) {
      if (isWord(tokens[i], "public", "private", "protected") && isSign(tokens[i + 1], ":")) {
        scope.isPublic = isWord(tokens[i], "public");
        i += 2;
        continue;
      }
      const outline = outlineAt(tokens, i, to);
      const { name, open, body, end } = outline;
      const inner = body === undefined ? undefined : scopeOf(tokens, outline, scope);
      if (inner && body !== undefined) readScope(body + 1, afterClosing(tokens, body) - 1, inner);
      // A definition outside of its class says what the class says already.
      else if (
        name !== undefined &&
        open !== undefined &&
        scope.isPublic &&
        !isSign(tokens[open - 2], "::")
      ) {
        const { owner } = scope;
        const line = tokens[open]?.line ?? 0;
        const list = itemsOf(tokens.slice(open + 1, afterClosing(tokens, open) - 1));
        const takes = list.map((item) => takingOf(item, outline.generic, references));
        const isPack = list.at(-1)?.some((t) => isSign(t, "...")) ?? false;
        found.push({ file: path, line, ...(owner === undefined ? {} : { owner }), name, takes, isPack });
      }
      i = end;
    }
  };
  readScope(0, tokens.length, { isPublic: true, depth: 0 });
  return found;
}

/** One declaration: where things are in it. */
interface Outline {
  readonly start: number;
  readonly generic: ReadonlySet<string>;
  readonly name?: string;
  /** Of its list of parameters. */
  readonly open?: number;
  /** The brace that begins its body. */
  readonly body?: number;
  /** Where the next declaration begins. */
  readonly end: number;
}

function outlineAt(tokens: readonly Token[], at: number, to: number): Outline {
  const { generic, end: start } = templateHead(tokens, at);
  let found: { name: string; open: number } | undefined;
  let isBound = false;
  for (let i = start; i < to; i++) {
    const token = tokens[i];
    if (isSign(token, ";", "}")) return { start, generic, ...found, end: i + 1 };
    if (isSign(token, "{") && !(isBound && isInitialiser(tokens[i - 1])))
      return { start, generic, ...found, body: i, end: Math.max(i + 1, afterClosing(tokens, i)) };
    if (isSign(token, "(")) {
      if (!isBound) found ??= namedBefore(tokens, i, start);
      // The brackets of `operator()` are part of its name.
      i = Math.max(i, afterClosing(tokens, i) - 1);
    } else if (isSign(token, "[", "{")) i = Math.max(i, afterClosing(tokens, i) - 1);
    else if (isSign(token, "<") && !isOperator(tokens, i, start)) i = (afterAngle(tokens, i) ?? i + 1) - 1;
    else if ((isSign(token, "=") && !isOperator(tokens, i, start)) || (isSign(token, ":") && found))
      isBound = true;
  }
  return { start, generic, ...found, end: to };
}

/** `: member{1} {`, `= {…};`: a brace that holds a value. */
function isInitialiser(before: Token | undefined): boolean {
  return before?.kind === "word" || isSign(before, ">", "=");
}

function isOperator(tokens: readonly Token[], at: number, start: number): boolean {
  for (let i = at - 1; i >= Math.max(start, at - 3); i--) {
    if (isWord(tokens[i], "operator")) return true;
    if (tokens[i]?.kind !== "punct") return false;
  }
  return false;
}

const takeParentheses = [
  "alignas",
  "__attribute__",
  "decltype",
  "noexcept",
  "explicit",
  "requires",
  "operator",
];

/** The name of a function whose parameters begin at a parenthesis. */
function namedBefore(tokens: readonly Token[], open: number, start: number) {
  const before = tokens[open - 1];
  if (open <= start) return undefined;
  if (before?.kind === "word")
    return isWord(before, ...takeParentheses) ? undefined : { name: before.text, open };
  let at = open - 1;
  while (at > Math.max(start, open - 6) && tokens[at]?.kind === "punct") at--;
  if (!isWord(tokens[at], "operator")) return undefined;
  const signs = tokens.slice(at + 1, open).map((t) => t.text);
  return { name: `operator${signs.join("")}`, open };
}

function templateHead(tokens: readonly Token[], at: number): { generic: Set<string>; end: number } {
  const generic = new Set<string>();
  let end = at;
  while (isWord(tokens[end], "template") && isSign(tokens[end + 1], "<")) {
    const close = afterAngle(tokens, end + 1);
    if (close === undefined) break;
    for (const item of itemsOf(tokens.slice(end + 2, close - 1))) {
      const upTo = item.findIndex((t) => isSign(t, "="));
      const name = upTo < 0 ? item.at(-1) : item[upTo - 1];
      if (name?.kind === "word") generic.add(name.text);
    }
    end = close;
  }
  return { generic, end };
}

/** The scope that a body opens, if it is a namespace's, a class's or a linkage block's. */
function scopeOf(
  tokens: readonly Token[],
  { start, body = 0, open }: Outline,
  scope: Scope,
): Scope | undefined {
  if (scope.depth >= deepest) return undefined;
  const depth = scope.depth + 1;
  let i = start;
  while (isWord(tokens[i], "inline", "export", "typedef", "static", "constexpr", "const")) i++;
  const key = tokens[i];
  if (isWord(key, "namespace")) return { ...scope, depth };
  if (isWord(key, "extern") && tokens[i + 1]?.kind === "string" && body === i + 2) return { ...scope, depth };
  if (!isWord(key, "class", "struct", "union") || open !== undefined) return undefined;
  const isPublic = scope.isPublic && !isWord(key, "class");
  const owner = className(tokens, i + 1, body);
  return { ...(owner === undefined ? {} : { owner }), isPublic, depth };
}

function className(tokens: readonly Token[], from: number, body: number): string | undefined {
  let name: string | undefined;
  for (let i = from; i < body && !isSign(tokens[i], ":") && !isWord(tokens[i], "final"); i++) {
    const token = tokens[i];
    if (isSign(token, "[", "(")) i = afterClosing(tokens, i) - 1;
    else if (isSign(token, "<")) i = (afterAngle(tokens, i) ?? i + 1) - 1;
    else if (token?.kind === "word" && !isWord(token, "alignas", "__attribute__")) name = token.text;
  }
  return name;
}
