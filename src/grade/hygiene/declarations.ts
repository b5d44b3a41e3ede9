/** Finds the public functions that a baseline's header declares. What isn't understood is left out. Pure. */
import type { Token } from "./lexer.ts";
import { keywords } from "./names.ts";
import { afterAngle, afterClosing } from "./scan.ts";
import { isSign, isWord } from "./source-rule.ts";

export interface TemplateParameter {
  readonly name: string;
  /** `undefined` for a type parameter, else the type of a value. */
  readonly valueType?: string;
}

/** A class, and its template parameters where it is a template. */
export interface Owner {
  readonly name: string;
  readonly parameters: readonly TemplateParameter[];
  /** Public types that are declared in it. */
  readonly types: readonly string[];
  /** For a public class within a class: its name there; `name` and the rest are those of the outermost. */
  readonly nested?: readonly string[];
}

/** An owner while its body is read. */
interface OpenOwner extends Owner {
  readonly types: string[];
}

export interface FunctionDeclaration {
  readonly namespaces: readonly string[];
  readonly owner?: Owner;
  /** For an operator `operator` and its signs. */
  readonly name: string;
  /** The signs of a member operator. */
  readonly operator?: string;
  readonly returns: string;
  readonly parameters: readonly string[];
  readonly isConst: boolean;
}

/** A public data member. */
export interface FieldDeclaration {
  readonly namespaces: readonly string[];
  readonly owner: Owner;
  readonly name: string;
  /** The declaration's text, which may hold more than its type. */
  readonly declared: string;
}

/** What a header offers. */
export interface PublicNames {
  readonly functions: readonly FunctionDeclaration[];
  readonly fields: readonly FieldDeclaration[];
}

interface Found {
  readonly functions: FunctionDeclaration[];
  readonly fields: FieldDeclaration[];
}

interface Scope {
  readonly namespaces: readonly string[];
  readonly owner?: OpenOwner;
  isPublic: boolean;
}

/** Non-template functions at namespace scope, and public member functions of classes and class templates. */
export function publicFunctions(tokens: readonly Token[]): readonly FunctionDeclaration[] {
  return publicNames(tokens).functions;
}

/** Those, and public data members. */
export function publicNames(tokens: readonly Token[]): PublicNames {
  const found: Found = { functions: [], fields: [] };
  readScope(tokens, { namespaces: [], isPublic: true }, found);
  return found;
}

function readScope(tokens: readonly Token[], scope: Scope, found: Found): void {
  for (let i = 0; i < tokens.length; ) {
    if (isWord(tokens[i], "public", "private", "protected") && isSign(tokens[i + 1], ":")) {
      scope.isPublic = isWord(tokens[i], "public");
      i += 2;
    } else i = readDeclaration(tokens, i, scope, found);
  }
}

/** Reads one declaration and says where the next begins. */
function readDeclaration(tokens: readonly Token[], at: number, scope: Scope, found: Found): number {
  const head: Token[] = [];
  let isBound = false;
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || isSign(token, ";", "}")) {
      addFunction(head, scope, found);
      return i + 1;
    }
    if (
      (isSign(token, "=") && !isInOperator(head)) ||
      (isSign(token, ":") && head.some((t) => isSign(t, "(")))
    )
      isBound = true;
    if (isSign(token, "{") && !(isBound && isInitialiser(tokens[i - 1])))
      return readBody(tokens, i, head, scope, found);
    // Defaults within a template's head are no initialisers of what follows.
    const isHead = isWord(token, "template") && isSign(tokens[i + 1], "<");
    const inner = isHead
      ? afterAngle(tokens, i + 1)
      : isSign(token, "(", "[", "{")
        ? afterClosing(tokens, i)
        : i + 1;
    const end = inner ?? i + 1;
    // `int a = 1, b = 2;`: what follows is declared, too.
    if (isBound && isSign(token, ",") && !head.some((t) => isSign(t, "("))) isBound = false;
    if (!isBound || isWord(token, "delete")) pushRange(head, tokens, i, end);
    i = end - 1;
  }
  return tokens.length;
}

/** `operator==`, `operator<=`: that sign begins no initialiser. */
function isInOperator(head: readonly Token[]): boolean {
  const at = head.findLastIndex((t) => t.kind !== "punct");
  return isWord(head[at], "operator") && !head.slice(at + 1).some((t, i) => i > 1 && isSign(t, "("));
}

/** Without a spread: an array of any length may not become arguments. */
function pushRange(to: Token[], from: readonly Token[], start: number, end: number): void {
  for (let i = start; i < Math.min(end, from.length); i++) {
    const token = from[i];
    if (token !== undefined) to.push(token);
  }
}

/** `: member{1} {`, `= {…};`: braces after a name, a template or `=` once initialisers have begun. */
function isInitialiser(before: Token | undefined): boolean {
  return before?.kind === "word" || isSign(before, ">", "=");
}

/** Reads what a brace at `open` encloses, and says where the next declaration begins. */
function readBody(
  tokens: readonly Token[],
  open: number,
  head: readonly Token[],
  scope: Scope,
  found: Found,
): number {
  const end = afterClosing(tokens, open);
  const inner = innerScope(head, scope);
  if (!inner) {
    addFunction(head, scope, found);
    return isSign(tokens[end], ";") ? end + 1 : end;
  }
  readScope(tokens.slice(open + 1, end - 1), inner, found);
  // Declarators after a class body are of no interest.
  return inner.owner === scope.owner ? end : afterSemicolon(tokens, end);
}

function afterSemicolon(tokens: readonly Token[], from: number): number {
  for (let i = from; i < tokens.length; i++) if (isSign(tokens[i], ";")) return i + 1;
  return tokens.length;
}

/** The scope that a brace after `head` opens, if it is a namespace's, a class's or a linkage block's. */
function innerScope(head: readonly Token[], scope: Scope): Scope | undefined {
  const words = withoutAttributes(head);
  const first = isWord(words[0], "inline") ? 1 : 0;
  if (isWord(words[first], "namespace")) {
    const names = words
      .slice(first + 1)
      .flatMap((t) => (t.kind === "word" && t.text !== "inline" ? [t.text] : []));
    // What an unnamed namespace holds is nobody else's.
    return { namespaces: [...scope.namespaces, ...names], isPublic: names.length > 0 };
  }
  if (isWord(words[0], "extern") && words.length === 2) return { ...scope };
  if (scope.owner) {
    if (isWord(words[0], "struct", "class", "enum", "union")) addType(words, scope);
    const [key, name, next] = words;
    if (!isWord(key, "struct", "class") || name?.kind !== "word" || isSign(next, "<", "::")) return undefined;
    const nested = [...(scope.owner.nested ?? []), name.text];
    const owner = { ...scope.owner, types: [], nested };
    return { namespaces: scope.namespaces, owner, isPublic: isWord(key, "struct") && scope.isPublic };
  }
  const template = templateHead(words);
  if (template === undefined) return undefined;
  const [key, name, next] = words.slice(template.end);
  if (!isWord(key, "class", "struct") || name?.kind !== "word" || isSign(next, "<", "::")) return undefined;
  const owner = { name: name.text, parameters: template.parameters, types: [] };
  return { namespaces: scope.namespaces, owner, isPublic: isWord(key, "struct") && scope.isPublic };
}

/** `undefined` for a template head that isn't understood. */
function templateHead(
  tokens: readonly Token[],
): { parameters: TemplateParameter[]; end: number } | undefined {
  if (!isWord(tokens[0], "template")) return { parameters: [], end: 0 };
  const end = isSign(tokens[1], "<") ? afterAngle(tokens, 1) : undefined;
  if (end === undefined || end === 3) return undefined;
  const parameters = split(tokens.slice(2, end - 1)).map(templateParameter);
  if (parameters.some((p) => p === undefined)) return undefined;
  return { parameters: parameters.filter((p) => p !== undefined), end };
}

function templateParameter(tokens: readonly Token[]): TemplateParameter | undefined {
  const upTo = tokens.findIndex((t) => isSign(t, "="));
  const plain = upTo < 0 ? tokens : tokens.slice(0, upTo);
  const name = plain.at(-1);
  if (name?.kind !== "word" || plain.length < 2 || plain.some((t) => isSign(t, "...", "<"))) return undefined;
  if (isWord(plain[0], "class", "typename") && plain.length === 2) return { name: name.text };
  return { name: name.text, valueType: textOf(plain.slice(0, -1)) };
}

const specifiers = ["virtual", "static", "constexpr", "consteval", "inline", "extern"];
const unknown = [
  "friend",
  "typedef",
  "using",
  "explicit",
  "template",
  "auto",
  "decltype",
  "requires",
  "concept",
  "static_assert",
  "return",
];

/** `using X = …`, `typedef … X`, `struct X`: a name that signatures of the class may use unqualified. */
function addType(head: readonly Token[], scope: Scope): void {
  const name = isWord(head[0], "typedef") ? head.at(-1) : isWord(head[1], "class") ? head[2] : head[1];
  if (scope.isPublic && name?.kind === "word") scope.owner?.types.push(name.text);
}

function addFunction(head: readonly Token[], scope: Scope, found: Found): void {
  if (isWord(head[0], "using", "typedef", "struct", "class", "enum")) addType(head, scope);
  const tokens = withoutAttributes(head).filter((t) => !isWord(t, ...specifiers));
  if (!scope.isPublic || tokens.some((t) => isWord(t, ...unknown))) return;
  const operator = operatorIn(tokens);
  if (operator === null) return;
  const open = operator?.open ?? firstParenthesis(tokens);
  if (open < 0) {
    addFields(tokens, scope, found);
    return;
  }
  const at = operator?.at ?? open - 1;
  const name = tokens[at];
  const type = tokens.slice(0, Math.max(0, at));
  if (at < 1 || name?.kind !== "word" || !isType(type)) return;
  if (operator ? !scope.owner : keywords.has(name.text)) return;
  const close = afterClosing(tokens, open);
  const rest = tokens.slice(close);
  if (rest.some((t) => isWord(t, "delete") || isSign(t, "->"))) return;
  const parameters = split(tokens.slice(open + 1, close - 1)).map(parameterType);
  if (parameters.some((p) => p === undefined)) return;
  const known = parameters.filter((p) => p !== undefined && p !== "void");
  const owner = scope.owner ? { owner: scope.owner } : {};
  const isConst = rest.some((t) => isWord(t, "const"));
  const returns = textOf(type);
  found.functions.push({
    namespaces: scope.namespaces,
    ...owner,
    name: operator ? `operator${operator.signs}` : name.text,
    ...(operator ? { operator: operator.signs } : {}),
    returns,
    parameters: known as string[],
    isConst,
  });
}

/** A member operator's place and signs; `null` for conversions, `new` and assignments, `undefined` without one. */
function operatorIn(
  tokens: readonly Token[],
): { at: number; signs: string; open: number } | null | undefined {
  const at = tokens.findIndex((t) => isWord(t, "operator"));
  if (at < 0) return undefined;
  let open = at + 1;
  if (isSign(tokens[open], "(")) open += 2;
  while (open < tokens.length && !isSign(tokens[open], "(")) open++;
  const between = tokens.slice(at + 1, open);
  const signs = between.map((t) => t.text).join("");
  const isKnown = between.length > 0 && between.every((t) => t.kind === "punct") && signs !== "=";
  return isKnown && open < tokens.length ? { at, signs, open } : null;
}

/** `int a, *b, c[3], d : 2`: their names; what a probe makes of them is the compiler's business. */
function addFields(tokens: readonly Token[], scope: Scope, found: Found): void {
  const { owner, namespaces } = scope;
  if (!owner || tokens.length < 2 || isWord(tokens[0], "struct", "class", "enum", "union")) return;
  for (const item of split(tokens)) {
    const end = item.findIndex((t) => isSign(t, "[", ":"));
    const name = end < 0 ? item.at(-1) : item[end - 1];
    if (name?.kind === "word" && !keywords.has(name.text))
      found.fields.push({ namespaces, owner, name: name.text, declared: textOf(tokens) });
  }
}

function isType(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  return (
    last !== undefined &&
    (last.kind === "word" || isSign(last, ">", "*", "&")) &&
    !tokens.some((t) => t.kind === "string")
  );
}

function firstParenthesis(tokens: readonly Token[]): number {
  for (let i = 0; i < tokens.length; i++) {
    if (isSign(tokens[i], "(")) return i;
    if (isSign(tokens[i], "<")) i = (afterAngle(tokens, i) ?? tokens.length) - 1;
  }
  return -1;
}

function withoutAttributes(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (isSign(token, "[") && isSign(tokens[i + 1], "[")) i = afterClosing(tokens, i) - 1;
    else if (isWord(token, "alignas", "__attribute__", "noexcept", "explicit") && isSign(tokens[i + 1], "("))
      i = afterClosing(tokens, i + 1) - 1;
    else kept.push(token);
  }
  return kept;
}

/** The items of a list at its top level. */
function split(tokens: readonly Token[]): (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    const end = isSign(token, "<")
      ? afterAngle(tokens, i)
      : isSign(token, "(", "[", "{")
        ? afterClosing(tokens, i)
        : undefined;
    if (end !== undefined) {
      pushRange(items.at(-1) ?? [], tokens, i, end);
      i = end - 1;
    } else if (isSign(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((item) => item.length > 0);
}

const fundamental = [
  "void",
  "bool",
  "char",
  "wchar_t",
  "char8_t",
  "char16_t",
  "char32_t",
  "short",
  "int",
  "long",
  "float",
  "double",
  "signed",
  "unsigned",
];
const qualifiers = ["const", "volatile", "typename", "struct", "class", "enum"];

/** A parameter's type, without its name and default; `undefined` for arrays, functions and packs. */
function parameterType(tokens: readonly Token[]): string | undefined {
  const upTo = tokens.findIndex((t) => isSign(t, "="));
  const plain = upTo < 0 ? tokens : tokens.slice(0, upTo);
  if (plain.some((t) => isSign(t, "(", "[", "...") || isWord(t, "this", "auto"))) return undefined;
  const [last, previous] = [plain.at(-1), plain.at(-2)];
  if (!last || !isType(plain)) return undefined;
  const before = plain.slice(0, -1);
  const isName =
    last.kind === "word" &&
    !isWord(last, ...fundamental, ...qualifiers) &&
    previous !== undefined &&
    !isSign(previous, "::") &&
    before.some((t) => t.kind === "word" && !isWord(t, ...qualifiers));
  return textOf(isName ? before : plain);
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map((t) => (t.kind === "char" ? `'${t.text}'` : t.text)).join(" ");
}
