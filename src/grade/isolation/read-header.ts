/** Reads a header into what a proxy of it must declare, or refuses it by name. */
import {
  accept,
  balanced,
  type Cursor,
  lineOf,
  next,
  peek,
  skipAttributes,
  skipDeclaration,
  statement,
} from "./cursor.ts";
import { type HeaderDirective, tokenizeHeader } from "./header-tokens.ts";
import { type HeaderItem, NotProxiedError, type PlainHeader } from "./interface.ts";
import { readClass } from "./read-class.ts";

/**
 * The interface of a header.
 *
 * @throws NotProxiedError where it holds what a test could use and no proxy can stand in for.
 */
export function readHeader(header: string): PlainHeader {
  const text = tokenizeHeader(header);
  const includes = includesOf(text.directives);
  const cursor: Cursor = { text, at: 0 };
  const items: HeaderItem[] = [];
  while (cursor.at < text.tokens.length) readItem(cursor, [], items);
  return { includes, items };
}

/** Only includes, `#pragma once` and an include guard are understood. */
function includesOf(directives: readonly HeaderDirective[]): string[] {
  const lines = directives.filter(({ text }) => !/^#\s*pragma\s+once$/.test(text));
  const guard = /^#\s*ifndef\s+(\w+)$/.exec(lines[0]?.text ?? "")?.[1];
  const isGuarded =
    guard !== undefined &&
    new RegExp(`^#\\s*define\\s+${guard}$`).test(lines[1]?.text ?? "") &&
    /^#\s*endif$/.test(lines.at(-1)?.text ?? "");
  return (isGuarded ? lines.slice(2, -1) : lines).map(({ text, line }) => {
    if (!/^#\s*include\s*(<[^>]+>|"[^"]+")$/.test(text))
      throw new NotProxiedError(`the directive \`${text.slice(0, 60)}\``, line);
    return text;
  });
}

function readItem(cursor: Cursor, namespaces: readonly string[], items: HeaderItem[]): void {
  skipAttributes(cursor);
  const word = peek(cursor);
  const line = lineOf(cursor);
  if (word === "template") throw new NotProxiedError("a template", line);
  if (word === "extern" || word === "union") throw new NotProxiedError(`\`${word}\` in a header`, line);
  if (accept(cursor, ";")) return;
  const isClass = word === "class" || word === "struct";
  if (word === "namespace") readNamespace(cursor, namespaces, items);
  else if (word === "static_assert") statement(cursor);
  else if (["using", "typedef", "enum"].includes(word) || (isClass && peek(cursor, 2) === ";"))
    items.push({ kind: "verbatim", text: statement(cursor), namespaces });
  else if (isClass) {
    next(cursor);
    items.push({ kind: "class", value: readClass(cursor, word, namespaces) });
  } else readDefinition(cursor, namespaces, items);
}

function readNamespace(cursor: Cursor, namespaces: readonly string[], items: HeaderItem[]): void {
  const { line } = next(cursor);
  const names: string[] = [];
  while (peek(cursor) !== "{") {
    const { raw } = next(cursor);
    if (raw === "=" || raw === "inline") throw new NotProxiedError("a namespace of an unusual kind", line);
    if (raw !== "::") names.push(raw);
  }
  if (names.length === 0) throw new NotProxiedError("a namespace without a name", line);
  next(cursor);
  while (!accept(cursor, "}")) readItem(cursor, [...namespaces, ...names], items);
}

/** A constant is kept, a member function defined outside of its class is skipped; there is nothing else. */
function readDefinition(cursor: Cursor, namespaces: readonly string[], items: HeaderItem[]): void {
  if (definesMember(cursor, items)) {
    skipDeclaration(cursor);
    return;
  }
  const [from, line] = [cursor.at, lineOf(cursor)];
  let isConstant = false;
  let name = "";
  while (!["(", "=", "{", ";", "["].includes(peek(cursor))) {
    name = next(cursor).raw;
    if (name === "constexpr" || name === "const") isConstant = true;
  }
  if (peek(cursor) === "(") throw new NotProxiedError(`the function ${name}`, line);
  if (!isConstant) throw new NotProxiedError(`the variable ${name}`, line);
  cursor.at = from;
  items.push({ kind: "verbatim", text: statement(cursor), namespaces });
}

/** Whether a definition of a known class's member function comes next. */
function definesMember(cursor: Cursor, items: readonly HeaderItem[]): boolean {
  const classes = items.flatMap((item) => (item.kind === "class" ? [item.value.name] : []));
  const ahead: Cursor = { ...cursor };
  while (!["(", "=", "{", ";", "["].includes(peek(ahead))) {
    if (peek(ahead, 1) === "::" && classes.includes(peek(ahead)) && hasParentheses(ahead)) return true;
    next(ahead);
  }
  return false;
}

/** Whether parentheses come before what would end or define a variable. */
function hasParentheses(cursor: Cursor): boolean {
  const ahead: Cursor = { ...cursor };
  while (!["(", "=", ";", "{"].includes(peek(ahead))) {
    if (peek(ahead) === "operator") return true;
    if (peek(ahead) === "[") balanced(ahead);
    else next(ahead);
  }
  return peek(ahead) === "(";
}
