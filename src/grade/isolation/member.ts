/** Reads the declaration of one constructor or member function, and refuses what can't be called from afar. */
import { accept, balanced, type Cursor, lineOf, next, peek, skipAttributes, textOfTokens } from "./cursor.ts";
import type { HeaderToken } from "./header-tokens.ts";
import { NotProxiedError, type Parameter } from "./interface.ts";

/** What follows the parameters of a function. */
export interface Tail {
  readonly isConst: boolean;
  readonly isNoexcept: boolean;
  readonly isDeleted: boolean;
}

const builtin =
  /^(bool|char|char8_t|char16_t|char32_t|wchar_t|short|int|long|signed|unsigned|float|double|const)$/;
const carried = new Set(["optional", "vector", "pair"]);

/** Whether the type of some tokens, `const` and `&` aside, is the class `name`. */
export function isOwnType(tokens: readonly HeaderToken[], name: string): boolean {
  const words = tokens.filter(({ raw }) => raw !== "const" && raw !== "&" && raw !== "&&");
  const named = words.at(-1)?.raw === name ? words.slice(0, -1) : words.slice(0, -2);
  return (
    words.some(({ raw }) => raw === name) && named.every(({ raw, kind }) => raw === "::" || kind === "word")
  );
}

/** The parameters between parentheses, each as its tokens. */
export function splitParameters(tokens: readonly HeaderToken[]): HeaderToken[][] {
  const parts: HeaderToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if ("([{<".includes(token.raw)) depth++;
    if (")]}>".includes(token.raw)) depth--;
    if (token.raw === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const isNone =
    parts.length === 1 && (parts[0]?.length === 0 || parts[0]?.map((t) => t.raw).join() === "void");
  return isNone ? [] : parts;
}

/** One parameter from its tokens. `member` is what a refusal names. */
export function parameterOf(cursor: Cursor, tokens: readonly HeaderToken[], member: string): Parameter {
  const equals = tokens.findIndex(({ raw }) => raw === "=");
  const declared = equals < 0 ? tokens : tokens.slice(0, equals);
  const type = isNamed(declared) ? declared.slice(0, -1) : declared;
  const shown = textOfTokens(cursor.text, declared);
  const bare = type.filter(({ raw }) => raw !== "const");
  const isReference = bare.at(-1)?.raw === "&";
  const value = isReference ? bare.slice(0, -1) : bare;
  if (isReference && bare.length === type.length)
    throw refused(`${member}: the parameter \`${shown}\` could be changed by the callee`, tokens);
  assertCarried(cursor, value, `${member}: the parameter \`${shown}\``);
  return {
    type: textOfTokens(cursor.text, type),
    value: spell(value),
    ...(equals < 0 ? {} : { fallback: textOfTokens(cursor.text, tokens.slice(equals + 1)) }),
  };
}

/** The type of a result from its tokens. */
export function resultOf(cursor: Cursor, tokens: readonly HeaderToken[], member: string): string {
  const value = tokens.filter(({ raw }) => raw !== "const");
  if (value.length === 1 && value[0]?.raw === "void") return "void";
  if (value.some(({ raw }) => raw === "string_view"))
    throw refused(`${member}: a view of memory that is elsewhere`, tokens);
  assertCarried(cursor, value, `${member}: the result \`${textOfTokens(cursor.text, tokens)}\``);
  return spell(value);
}

function assertCarried(cursor: Cursor, type: readonly HeaderToken[], what: string): void {
  const bad = type.find(({ raw, kind }) => kind !== "word" && !["::", "<", ">", ","].includes(raw));
  const open = type.find(({ raw }, i) => type[i + 1]?.raw === "<" && !carried.has(raw));
  const word = type.find(({ raw }) => ["auto", "volatile", "void", "decltype"].includes(raw));
  const isLongDouble = /\blong double\b|\bdouble long\b/.test(spell(type));
  if (type.length === 0 || bad || open || word || isLongDouble)
    throw refused(`${what} is no value that can be sent`, type.length > 0 ? type : cursor.text.tokens);
}

/** Whether the last token is the parameter's name, as opposed to the end of its type. */
function isNamed(tokens: readonly HeaderToken[]): boolean {
  const [last, before] = [tokens.at(-1), tokens.at(-2)];
  if (last?.kind !== "word" || builtin.test(last.raw) || before === undefined) return false;
  return before.raw !== "::" && tokens.slice(0, -1).some(({ raw }) => raw !== "const");
}

/** Tokens of a type as text, spaced only where it must be. */
function spell(tokens: readonly HeaderToken[]): string {
  return tokens
    .map(({ raw, kind }, i) => (kind === "word" && tokens[i - 1]?.kind === "word" ? ` ${raw}` : raw))
    .join("");
}

/** Takes all that follows a function's parameters, its body included. */
export function readTail(cursor: Cursor, member: string): Tail {
  let [isConst, isNoexcept, isDeleted] = [false, false, false];
  for (;;) {
    skipAttributes(cursor);
    const raw = peek(cursor);
    if (accept(cursor, ";")) break;
    if (accept(cursor, "const")) isConst = true;
    else if (accept(cursor, "noexcept")) isNoexcept = readNoexcept(cursor, member);
    else if (accept(cursor, "=")) isDeleted = readDefinition(cursor, member);
    else if (raw === "{" || raw === ":") {
      skipBody(cursor);
      break;
    } else throw new NotProxiedError(`${member}: \`${raw}\` after its parameters`, next(cursor).line);
  }
  return { isConst, isNoexcept, isDeleted };
}

function readNoexcept(cursor: Cursor, member: string): boolean {
  if (peek(cursor) !== "(") return true;
  const line = lineOf(cursor);
  const condition = balanced(cursor)
    .map(({ raw }) => raw)
    .join("");
  if (condition === "true" || condition === "false") return condition === "true";
  throw new NotProxiedError(`${member}: a condition in noexcept`, line);
}

/** Whether the function is deleted. */
function readDefinition(cursor: Cursor, member: string): boolean {
  const { raw, line } = next(cursor);
  if (raw === "delete") return true;
  if (raw === "default") return false;
  throw new NotProxiedError(`${member}: a virtual function`, line);
}

/** A body, with the initialisers of a constructor before it. */
function skipBody(cursor: Cursor): void {
  while (peek(cursor) !== "{") {
    next(cursor);
    while (peek(cursor) !== "(" && peek(cursor) !== "{") next(cursor);
    balanced(cursor);
    accept(cursor, "...");
  }
  balanced(cursor);
  accept(cursor, ";");
}

function refused(what: string, tokens: readonly HeaderToken[]): NotProxiedError {
  return new NotProxiedError(what, tokens[0]?.line ?? 1);
}
