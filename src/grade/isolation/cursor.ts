/** A place in a header's tokens, and the few moves that the reader needs. */
import type { HeaderText, HeaderToken } from "./header-tokens.ts";
import { NotProxiedError } from "./interface.ts";

/** Moves forward only. */
export interface Cursor {
  readonly text: HeaderText;
  at: number;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** Text of the token `ahead` of the cursor; empty past the end. */
export function peek(cursor: Cursor, ahead = 0): string {
  return cursor.text.tokens[cursor.at + ahead]?.raw ?? "";
}

/** Line of the cursor's token, or of the last one. */
export function lineOf(cursor: Cursor): number {
  return (cursor.text.tokens[cursor.at] ?? cursor.text.tokens.at(-1))?.line ?? 1;
}

/** Takes one token. */
export function next(cursor: Cursor): HeaderToken {
  const token = cursor.text.tokens[cursor.at];
  if (token === undefined)
    throw new NotProxiedError("a header that ends within a declaration", lineOf(cursor));
  cursor.at++;
  return token;
}

/** Takes the token if it is this one. */
export function accept(cursor: Cursor, raw: string): boolean {
  if (peek(cursor) !== raw) return false;
  cursor.at++;
  return true;
}

/** Takes a bracket and all up to the one that closes it; gives what is between them. */
export function balanced(cursor: Cursor): HeaderToken[] {
  const open = next(cursor);
  const inner: HeaderToken[] = [];
  const closer = closers[open.raw];
  while (peek(cursor) !== closer) {
    const from = cursor.at;
    if (peek(cursor) in closers) balanced(cursor);
    else next(cursor);
    inner.push(...cursor.text.tokens.slice(from, cursor.at));
  }
  next(cursor);
  return inner;
}

/** Takes template arguments, from `<` to the `>` that closes it. */
export function angled(cursor: Cursor): HeaderToken[] {
  const from = cursor.at;
  let depth = 0;
  do {
    if (peek(cursor) === "<") depth++;
    if (peek(cursor) === ">") depth--;
    if (peek(cursor) in closers) balanced(cursor);
    else next(cursor);
  } while (depth > 0);
  return cursor.text.tokens.slice(from, cursor.at);
}

/** Takes `[[…]]` as often as it comes. */
export function skipAttributes(cursor: Cursor): void {
  while (peek(cursor) === "[" && peek(cursor, 1) === "[") balanced(cursor);
}

/** Takes all up to and including the `;` that ends a declaration without a body. */
export function statement(cursor: Cursor): string {
  const from = cursor.at;
  while (peek(cursor) !== ";") {
    if (peek(cursor) in closers) balanced(cursor);
    else next(cursor);
  }
  next(cursor);
  return textOf(cursor, from);
}

/** Takes one declaration of any kind: up to its `;`, or up to the end of its body. */
export function skipDeclaration(cursor: Cursor): void {
  for (;;) {
    if (accept(cursor, ";")) return;
    if (peek(cursor) !== "{") {
      if (peek(cursor) in closers) balanced(cursor);
      else next(cursor);
      continue;
    }
    balanced(cursor);
    if (accept(cursor, ";")) return;
    // Braces before a comma or another brace initialise a member; all others are a body.
    if (peek(cursor) !== "," && peek(cursor) !== "{") return;
  }
}

/** The header's own text from a token to the cursor. */
export function textOf(cursor: Cursor, from: number): string {
  const { code, tokens } = cursor.text;
  const [first, last] = [tokens[from], tokens[cursor.at - 1]];
  if (first === undefined || last === undefined) return "";
  return tidy(code.slice(first.start, last.start + last.raw.length));
}

/** The header's own text of some neighbouring tokens. */
export function textOfTokens(text: HeaderText, tokens: readonly HeaderToken[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return "";
  return tidy(text.code.slice(first.start, last.start + last.raw.length));
}

function tidy(text: string): string {
  return text.replace(/[\s␤]+/g, " ");
}
