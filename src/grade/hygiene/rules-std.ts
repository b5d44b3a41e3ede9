/** The standard library's namespace: specialising its customisation points for own types is honest, all else is not. */
import type { Token } from "./lexer.ts";
import {
  afterAngle,
  afterClosing,
  type Hit,
  isSign,
  isWord,
  type Rule,
  tokenRuns,
  type World,
} from "./source-rule.ts";

/** Namespaces of the implementation, and of test frameworks whose comparisons and reports a candidate could change. */
const foreign = new Set(["std", "__gnu_cxx", "__cxxabiv1", "__detail", "testing", "doctest", "Catch"]);

/** Templates that the standard invites programs to specialise for their own types. */
const customisable = new Set(
  `hash formatter less greater less_equal greater_equal equal_to not_equal_to tuple_size tuple_element numeric_limits
  common_type basic_common_reference iterator_traits pointer_traits allocator_traits uses_allocator char_traits
  default_delete is_error_code_enum is_error_condition_enum is_placeholder is_bind_expression coroutine_traits
  indirectly_readable_traits incrementable_traits enable_borrowed_range enable_view disable_sized_range
  disable_sized_sentinel_for swap is_execution_policy range_format StringMaker Arbitrary`.split(/\s+/),
);

/** What is declared in a foreign namespace: `namespace std { … }`, and `template <> struct std::hash<…>`. */
export const stdRule: Rule = (file, world) =>
  tokenRuns(file).flatMap((tokens, run) => {
    const hits: Hit[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (isWord(token, "namespace") && !isWord(tokens[i - 1], "using")) {
        const opened = opening(tokens, i, world, run > 0);
        if (opened?.hit) hits.push(opened.hit);
        if (opened) i = Math.max(i, opened.end - 1);
      } else if (isWord(token, "template") && !isSign(tokens[i - 1], "::", ".", "->", ">"))
        hits.push(...qualified(tokens, i, world));
    }
    return hits;
  });

function finding(token: Token | undefined, detail: string, message: string): Hit {
  return { kind: "std", detail, message, line: token?.line ?? 0 };
}

/** A foreign namespace that is opened at a position: where it ends, and what is wrong with it. */
function opening(tokens: readonly Token[], at: number, world: World, inDirective: boolean) {
  let i = at + 1;
  while (isSign(tokens[i], "[")) i = afterClosing(tokens, i);
  if (isSign(tokens[i], "::")) i++;
  const name = tokens[i];
  if (name?.kind !== "word" || !foreign.has(name.text)) return undefined;
  let open = i + 1;
  while (tokens[open]?.kind === "word" || isSign(tokens[open], "::")) open++;
  if (!isSign(tokens[open], "{") && !inDirective) return undefined;
  const end = afterClosing(tokens, open);
  const bad = inDirective ? name : offender(tokens.slice(open + 1, end - 1), world, 0);
  const message = "adds to it what is no specialisation of a customisation point for an own type";
  return { end, hit: bad && finding(bad, `namespace ${name.text}`, message) };
}

/** Namespaces within `std` in which something can be specialised are not nested any deeper. */
const deepest = 4;

/** The first token of a body that is no honest specialisation. */
function offender(body: readonly Token[], world: World, depth: number): Token | undefined {
  for (let i = 0; i < body.length; ) {
    const token = body[i];
    if (isSign(token, ";")) {
      i++;
    } else if (isWord(token, "namespace") && isSign(body[i + 2], "{") && depth < deepest) {
      const end = afterClosing(body, i + 2);
      const inner = offender(body.slice(i + 3, end - 1), world, depth + 1);
      if (inner) return inner;
      i = end;
    } else {
      // A macro may stand for the template head.
      const isHead =
        isWord(token, "template") ||
        (isWord(body[i + 1], "struct", "class") && world.isOwnType(token?.text ?? ""));
      const end = isHead ? honestEnd(body, i, world) : undefined;
      if (end === undefined) return token;
      i = end;
    }
  }
  return undefined;
}

/** Position after a declaration that begins with `template`, if it is an honest specialisation. */
function honestEnd(tokens: readonly Token[], at: number, world: World): number | undefined {
  const head = isWord(tokens[at], "template") ? afterTemplateHead(tokens, at) : at + 1;
  if (head === undefined) return undefined;
  const end = declarationEnd(tokens, head);
  const named = specialised(tokens, head, end);
  if (!named || !customisable.has(named)) return undefined;
  const text = tokens.slice(at, signatureEnd(tokens, head, end));
  return text.some((t) => t.kind === "word" && world.isOwnType(t.text)) ? end : undefined;
}

/** Position after `template <…>`, repeated, and a requires-clause in parentheses. */
function afterTemplateHead(tokens: readonly Token[], at: number): number | undefined {
  let i = at;
  while (isWord(tokens[i], "template")) {
    if (!isSign(tokens[i + 1], "<")) return undefined;
    const end = afterAngle(tokens, i + 1);
    if (end === undefined) return undefined;
    i = end;
  }
  return i;
}

/** Position after the `;` or the body that ends the declaration at `from`. */
function declarationEnd(tokens: readonly Token[], from: number): number {
  for (let i = from; i < Math.min(tokens.length, from + 4000); i++) {
    if (isSign(tokens[i], ";")) return i + 1;
    if (isSign(tokens[i], "{")) return afterClosing(tokens, i);
    if (isSign(tokens[i], "(", "[")) i = afterClosing(tokens, i) - 1;
  }
  return tokens.length;
}

function signatureEnd(tokens: readonly Token[], from: number, end: number): number {
  for (let i = from; i < end; i++) if (isSign(tokens[i], "{", ";")) return i;
  return end;
}

/** Name of the template that a declaration specialises: the first customisable one with arguments or parameters. */
function specialised(tokens: readonly Token[], from: number, end: number): string | undefined {
  const stop = signatureEnd(tokens, from, end);
  for (let i = from; i < stop; i++) {
    const [name, next] = [tokens[i], tokens[i + 1]];
    if (name?.kind !== "word") continue;
    if (isSign(next, "<") && customisable.has(name.text)) return name.text;
    if (name.text === "swap" && isSign(next, "(")) return name.text;
    if (isSign(next, "(") && !["noexcept", "requires", "alignas", "explicit", "decltype"].includes(name.text))
      return undefined;
  }
  return undefined;
}

/** `template <> struct std::hash<Mine>` and the like, outside of the namespace. */
function qualified(tokens: readonly Token[], at: number, world: World): Hit[] {
  const head = afterTemplateHead(tokens, at);
  if (head === undefined) return [];
  let i = head;
  while (isSign(tokens[i], "[")) i = afterClosing(tokens, i);
  const isClass = isWord(tokens[i], "struct", "class", "union");
  const root = isClass ? skipAttributes(tokens, i + 1) : declaratorRoot(tokens, i);
  if (root === undefined) return [];
  const start = isSign(tokens[root], "::") ? root + 1 : root;
  const name = tokens[start];
  if (name?.kind !== "word" || !foreign.has(name.text) || !isSign(tokens[start + 1], "::")) return [];
  if (honestEnd(tokens, at, world) !== undefined) return [];
  return [
    finding(
      name,
      `template in ${name.text}`,
      "specialises what is no customisation point, or not for an own type",
    ),
  ];
}

function skipAttributes(tokens: readonly Token[], from: number): number {
  let i = from;
  for (;;) {
    if (isSign(tokens[i], "[")) i = afterClosing(tokens, i);
    else if (isWord(tokens[i], "alignas", "__attribute__") && isSign(tokens[i + 1], "("))
      i = afterClosing(tokens, i + 1);
    else return i;
  }
}

/** Where the qualified name before the first parameter list, or before `=`, begins. */
function declaratorRoot(tokens: readonly Token[], from: number): number | undefined {
  let start: number | undefined;
  for (let i = from; i < from + 1000; i++) {
    const token = tokens[i];
    if (token === undefined || isSign(token, ";", "{", "(", "=")) return start;
    if (isWord(token, "operator")) return isSign(tokens[i - 1], "::") ? start : undefined;
    const joined = isSign(token, "::") || isSign(tokens[i - 1], "::");
    if ((token.kind === "word" || isSign(token, "::")) && !(joined && start !== undefined)) start = i;
    if (isSign(token, "<")) i = (afterAngle(tokens, i) ?? tokens.length) - 1;
  }
  return undefined;
}

const comparisons = new Set([
  "==",
  "!=",
  "<",
  ">",
  "<=",
  ">=",
  "<=>",
  "not_eq",
  "!",
  "not",
  "&&",
  "||",
  "and",
  "or",
]);

/** A comparison or allocator at namespace scope that takes nothing of the candidate's own changes what the tests mean. */
export const operatorRule: Rule = (file, world) =>
  file.tokens.flatMap((token, i): Hit[] => {
    if (!isWord(token, "operator") || isSign(file.tokens[i - 1], "::", ".", "->")) return [];
    const open = parametersAt(file.tokens, i);
    const name = open === undefined ? "" : nameOf(file.tokens, i, open);
    const allocates = /^(new|delete)(\[\])?$/.test(name);
    if (open === undefined || !(allocates || comparisons.has(name)) || !isAtNamespaceScope(file.tokens, i))
      return [];
    const parameters = file.tokens.slice(open + 1, afterClosing(file.tokens, open) - 1);
    if (parameters.length === 0 || takesOwn(parameters, templateNames(file.tokens, i), world)) return [];
    const message = allocates
      ? "replaces the allocator that the sanitizer watches"
      : "compares types that are not the candidate's own";
    return [{ kind: "operator", detail: `operator ${name}`, message, line: token.line }];
  });

function parametersAt(all: readonly Token[], at: number): number | undefined {
  for (let i = at + 1; i < Math.min(all.length, at + 6); i++) if (isSign(all[i], "(")) return i;
  return undefined;
}

function nameOf(all: readonly Token[], at: number, open: number): string {
  return all
    .slice(at + 1, open)
    .map((t) => t.text)
    .join("");
}

function takesOwn(parameters: readonly Token[], generic: ReadonlySet<string>, world: World): boolean {
  const isForeign = (i: number) => isSign(parameters[i - 1], "::") && isWord(parameters[i - 2], ...foreign);
  const isOwn = (t: Token, i: number) =>
    t.kind === "word" && !isForeign(i) && !generic.has(t.text) && world.isOwnType(t.text);
  return parameters.some(isOwn);
}

/** Names that the template head before a declarator introduces: they hide types of the same name. */
function templateNames(all: readonly Token[], at: number): Set<string> {
  const names = new Set<string>();
  for (let i = at - 1; i >= Math.max(0, at - 1000) && !isSign(all[i], ";", "{", "}"); i--)
    if (
      all[i]?.kind === "word" &&
      isSign(all[i + 1], ",", ">", "=") &&
      isWord(all[i - 1], "class", "typename")
    )
      names.add(all[i]?.text ?? "");
  return names;
}

/** Whether the innermost bracket around a position is a namespace's or a linkage block's brace, or none. */
function isAtNamespaceScope(all: readonly Token[], at: number): boolean {
  const parent = all[at]?.parent ?? -1;
  return parent < 0 || (isSign(all[parent], "{") && isNamespaceBrace(all, parent));
}

function isNamespaceBrace(all: readonly Token[], open: number): boolean {
  for (let i = open - 1; i >= Math.max(0, open - 40); i--) {
    if (isWord(all[i], "namespace", "extern")) return true;
    if (isSign(all[i], ";", "{", "}", ")") || isWord(all[i], "class", "struct", "union", "enum", "requires"))
      return false;
  }
  return false;
}
