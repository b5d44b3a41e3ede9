/** Reads a class definition: its public interface, or a refusal that names what is not plain. */
import {
  accept,
  angled,
  balanced,
  type Cursor,
  lineOf,
  next,
  peek,
  skipAttributes,
  skipDeclaration,
  statement,
  textOf,
} from "./cursor.ts";
import type { HeaderToken } from "./header-tokens.ts";
import { type Constructor, type Method, NotProxiedError, type PlainClass } from "./interface.ts";
import { isOwnType, parameterOf, readTail, resultOf, splitParameters } from "./member.ts";

/** A class as far as it has been read. */
interface Draft {
  readonly name: string;
  readonly declarations: string[];
  readonly names: string[];
  readonly constructors: Constructor[];
  readonly methods: Method[];
  declaresConstructor: boolean;
}

/**
 * Takes a class definition from after its key (`class` or `struct`) to its last brace and semicolon.
 *
 * @throws NotProxiedError
 */
export function readClass(cursor: Cursor, key: string, namespaces: readonly string[]): PlainClass {
  skipAttributes(cursor);
  const { raw: name, line } = next(cursor);
  const isFinal = accept(cursor, "final");
  if (peek(cursor) === ":") throw new NotProxiedError(`${name}: a base class`, lineOf(cursor));
  next(cursor);
  const draft: Draft = {
    name,
    declarations: [],
    names: [],
    constructors: [],
    methods: [],
    declaresConstructor: false,
  };
  let isPublic = key === "struct";
  while (!accept(cursor, "}")) {
    const access = peek(cursor);
    if (["public", "protected", "private"].includes(access) && peek(cursor, 1) === ":") {
      next(cursor);
      next(cursor);
      isPublic = access === "public";
    } else if (peek(cursor) === "friend") readFriend(cursor, name);
    else if (isPublic) readMember(cursor, draft);
    else skipHidden(cursor, draft);
  }
  if (!accept(cursor, ";")) throw new NotProxiedError(`${name}: a variable declared with its class`, line);
  const { declaresConstructor, ...read } = draft;
  if (!declaresConstructor)
    read.constructors.push({ parameters: [], isExplicit: false, isNoexcept: false, line });
  return { ...read, namespaces, isFinal, line };
}

/** A private member: only that it is a constructor matters, since then there is none by default. */
function skipHidden(cursor: Cursor, draft: Draft): void {
  const isConstructor =
    peek(cursor) === draft.name || (peek(cursor) === "explicit" && peek(cursor, 1) === draft.name);
  if (isConstructor && cursor.text.tokens[cursor.at + 1]?.raw !== "::") draft.declaresConstructor = true;
  if (peek(cursor) === "virtual")
    throw new NotProxiedError(`${draft.name}: a virtual function`, lineOf(cursor));
  skipDeclaration(cursor);
}

function readFriend(cursor: Cursor, name: string): void {
  const line = lineOf(cursor);
  const from = cursor.at;
  skipDeclaration(cursor);
  const isFunction = cursor.text.tokens.slice(from, cursor.at).some(({ raw }) => raw === "(");
  if (isFunction) throw new NotProxiedError(`${name}: a friend function`, line);
}

function readMember(cursor: Cursor, draft: Draft): void {
  skipAttributes(cursor);
  const word = peek(cursor);
  const refuse = (what: string) => new NotProxiedError(`${draft.name}: ${what}`, lineOf(cursor));
  if (["class", "struct", "union"].includes(word)) throw refuse(`the nested ${word} ${peek(cursor, 1)}`);
  if (word === "template") throw refuse("a template");
  if (accept(cursor, ";")) return;
  if (word === "static_assert") statement(cursor);
  else if (["using", "typedef", "enum"].includes(word)) declare(cursor, draft);
  else if (word === "~") readDestructor(cursor, draft);
  else readFunction(cursor, draft);
}

function readDestructor(cursor: Cursor, draft: Draft): void {
  const line = lineOf(cursor);
  next(cursor);
  next(cursor);
  balanced(cursor);
  const { isDeleted } = readTail(cursor, `${draft.name}::~${draft.name}`);
  if (isDeleted) throw new NotProxiedError(`${draft.name}: a deleted destructor`, line);
}

/** An alias, an enumeration or a constant: the proxy declares it too. */
function declare(cursor: Cursor, draft: Draft): void {
  const from = cursor.at;
  const text = statement(cursor);
  const tokens = cursor.text.tokens.slice(from, cursor.at);
  draft.declarations.push(text);
  draft.names.push(...namesIn(tokens));
}

/** Names that a declaration brings into the class. */
function namesIn(tokens: readonly HeaderToken[]): string[] {
  const words = tokens.filter(({ kind }) => kind === "word").map(({ raw }) => raw);
  switch (words[0]) {
    case "using":
      return words.slice(1, 2);
    case "typedef":
      return words.slice(-1);
    case "enum": {
      const isScoped = words[1] === "class" || words[1] === "struct";
      const body = tokens.findIndex(({ raw }) => raw === "{");
      const members = tokens.filter(
        ({ kind }, i) => i > body && kind === "word" && [",", "{"].includes(tokens[i - 1]?.raw ?? ""),
      );
      return [words[isScoped ? 2 : 1] ?? "", ...(isScoped ? [] : members.map(({ raw }) => raw))];
    }
    default: {
      const equals = tokens.findIndex(({ raw }) => raw === "=" || raw === "{");
      return [tokens[equals - 1]?.raw ?? ""];
    }
  }
}

/** What stands before a function's name. */
function readSpecifiers(cursor: Cursor): Set<string> {
  const found = new Set<string>();
  while (["inline", "constexpr", "explicit", "static", "virtual", "mutable"].includes(peek(cursor)))
    found.add(next(cursor).raw);
  return found;
}

function readFunction(cursor: Cursor, draft: Draft): void {
  const from = cursor.at;
  const line = lineOf(cursor);
  const refuse = (what: string) => new NotProxiedError(`${draft.name}: ${what}`, line);
  const specifiers = readSpecifiers(cursor);
  if (specifiers.has("virtual")) throw refuse("a virtual function");
  const head: HeaderToken[] = [];
  while (!["(", "operator", "=", ";", "{", "[", ":", ","].includes(peek(cursor)))
    head.push(...(peek(cursor) === "<" ? angled(cursor) : [next(cursor)]));
  const name = head.at(-1)?.raw ?? "";
  if (peek(cursor) === "operator") skipOperator(cursor, draft, line);
  else if (peek(cursor) !== "(") {
    if (!specifiers.has("static") || !specifiers.has("constexpr"))
      throw refuse(`the public data member ${name}`);
    cursor.at = from;
    declare(cursor, draft);
  } else if (specifiers.has("static")) throw refuse(`the static function ${name}`);
  else if (head.length === 1 && name === draft.name)
    addConstructor(cursor, draft, specifiers.has("explicit"), line);
  else addMethod(cursor, draft, head, line);
}

function addMethod(cursor: Cursor, draft: Draft, head: readonly HeaderToken[], line: number): void {
  const name = head.at(-1)?.raw ?? "";
  const member = `${draft.name}::${name}`;
  if (head.length < 2) throw new NotProxiedError(`${member}: a function without a type`, line);
  const written = splitParameters(balanced(cursor));
  const tail = readTail(cursor, member);
  if (tail.isDeleted) return;
  draft.methods.push({
    name,
    result: resultOf(cursor, head.slice(0, -1), member),
    parameters: written.map((tokens) => parameterOf(cursor, tokens, member)),
    isConst: tail.isConst,
    isNoexcept: tail.isNoexcept,
    line,
  });
}

function addConstructor(cursor: Cursor, draft: Draft, isExplicit: boolean, line: number): void {
  const member = `${draft.name}::${draft.name}`;
  const written = splitParameters(balanced(cursor));
  draft.declaresConstructor = true;
  const tail = readTail(cursor, member);
  const [only] = written;
  // Copies and moves stay with the candidate: an object has one place, and the proxy can't be copied.
  if (tail.isDeleted || (written.length === 1 && only && isOwnParameter(only, draft.name))) return;
  const parameters = written.map((tokens) => parameterOf(cursor, tokens, member));
  draft.constructors.push({ parameters, isExplicit, isNoexcept: tail.isNoexcept, line });
}

/** Assignments from the class itself are left out of the proxy; no other operator is read. */
function skipOperator(cursor: Cursor, draft: Draft, line: number): void {
  const from = cursor.at;
  next(cursor);
  const isAssignment = peek(cursor) === "=" && peek(cursor, 1) === "(";
  while (peek(cursor) !== "(") next(cursor);
  const name = textOf(cursor, from);
  const [only, ...others] = splitParameters(balanced(cursor));
  const isCopy =
    isAssignment && only !== undefined && others.length === 0 && isOwnParameter(only, draft.name);
  if (!isCopy) throw new NotProxiedError(`${draft.name}: ${name}`, line);
  readTail(cursor, `${draft.name}::operator=`);
}

function isOwnParameter(tokens: readonly HeaderToken[], name: string): boolean {
  const last = tokens.at(-1);
  const isNamed = last?.kind === "word" && last.raw !== name && last.raw !== "const";
  return isOwnType(isNamed ? tokens.slice(0, -1) : tokens, name);
}
