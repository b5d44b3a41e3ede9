/** The standard library's namespace: specialising its customisation points for own types is honest, all else is not. */
import type { Token } from "./lexer.ts";
import { libraryNames } from "./names.ts";
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
export const foreign: ReadonlySet<string> = new Set([
  "std",
  "__gnu_cxx",
  "__cxxabiv1",
  "__detail",
  "testing",
  "doctest",
  "Catch",
]);

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
        for (const hit of qualified(tokens, i, world)) hits.push(hit);
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
  const { ends, stops, named, owned } = outlineOf(tokens, world);
  const isOwn = (owned[at] ?? tokens.length) < (stops[head] ?? 0);
  return named[head] === true && isOwn ? (ends[head] ?? tokens.length) : undefined;
}

/** What is true of a declaration that begins at each position. Made backwards in one pass: a hostile text begins a million. */
interface Outline {
  /** Position after the `;` or the body that ends it. */
  readonly ends: readonly number[];
  /** Position of the first `{` or `;`. */
  readonly stops: readonly number[];
  /** Whether it specialises something customisable. */
  readonly named: readonly boolean[];
  /** Position of the next own type. */
  readonly owned: readonly number[];
}

const outlines = new WeakMap<readonly Token[], Outline>();

function outlineOf(tokens: readonly Token[], world: World): Outline {
  const known = outlines.get(tokens);
  if (known) return known;
  const size = tokens.length;
  const ends = new Array<number>(size + 1).fill(size);
  const stops = new Array<number>(size + 1).fill(size);
  const named = new Array<boolean>(size + 1).fill(false);
  const owned = new Array<number>(size + 1).fill(size);
  for (let i = size - 1; i >= 0; i--) {
    const token = tokens[i];
    const isStop = isSign(token, "{", ";");
    const opens = isSign(token, "(", "[", "{");
    ends[i] = isSign(token, ";") ? i + 1 : ((opens ? afterClosing(tokens, i) : ends[i + 1]) ?? size);
    if (opens && !isSign(token, "{")) ends[i] = ends[ends[i] ?? size] ?? size;
    stops[i] = isStop ? i : (stops[i + 1] ?? size);
    named[i] = isStop ? false : (specialises(token, tokens[i + 1]) ?? named[i + 1] ?? false);
    const isOwn = token?.kind === "word" && isOwnName(token.text, world);
    owned[i] = isOwn ? i : (owned[i + 1] ?? size);
  }
  const outline = { ends, stops, named, owned };
  outlines.set(tokens, outline);
  return outline;
}

function isOwnName(name: string, world: World): boolean {
  const isAmbiguous = world.pullsForeign("") && libraryNames.has(name);
  return world.isOwnType(name) && !world.isAlias(name) && !isAmbiguous;
}

const takeParentheses = ["noexcept", "requires", "alignas", "explicit", "decltype", "__attribute__"];

/** Whether a name tells that a declaration specialises something customisable, or that it doesn't; else `undefined`. */
function specialises(name: Token | undefined, next: Token | undefined): boolean | undefined {
  if (name?.kind !== "word") return undefined;
  if (isSign(next, "<") && customisable.has(name.text)) return true;
  if (!isSign(next, "(") || takeParentheses.includes(name.text)) return undefined;
  return name.text === "swap";
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

/** `template <> struct std::hash<Mine>` and the like, outside of the namespace. */
function qualified(tokens: readonly Token[], at: number, world: World): Hit[] {
  const head = afterTemplateHead(tokens, at);
  if (head === undefined) return [];
  let i = head;
  while (isSign(tokens[i], "[")) i = afterClosing(tokens, i);
  const isClass = isWord(tokens[i], "struct", "class", "union");
  const root = isClass ? skipAttributes(tokens, i + 1) : declaratorRoot(tokens, i);
  if (root === undefined) return [];
  const name = foreignPart(tokens, root, isClass, world);
  if (!name || honestEnd(tokens, at, world) !== undefined) return [];
  return [
    finding(
      name,
      `template in ${foreign.has(name.text) ? name.text : "std"}`,
      "specialises what is no customisation point, or not for an own type",
    ),
  ];
}

/** The part of a qualified name that leads into a foreign namespace, by its own name or another. */
function foreignPart(
  tokens: readonly Token[],
  root: number,
  isClass: boolean,
  world: World,
): Token | undefined {
  let pulling: Token | undefined;
  const start = isSign(tokens[root], "::") ? root + 1 : root;
  for (let i = start; i < tokens.length; i += 2) {
    const name = tokens[i];
    if (name?.kind !== "word") return undefined;
    // What the namespace declares itself may be specialised.
    if (!isSign(tokens[i + 1], "::")) return isOwnName(name.text, world) ? undefined : pulling;
    if ((i === start && foreign.has(name.text)) || world.isForeignAlias(name.text)) return name;
    if (isClass && world.pullsForeign(name.text)) pulling = name;
  }
  return undefined;
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
  for (let i = from; i < tokens.length; i++) {
    const [token, before] = [tokens[i], tokens[i - 1]];
    if (isSign(token, "(") && isWord(before, ...takeParentheses)) {
      i = afterClosing(tokens, i) - 1;
      start = undefined;
      continue;
    }
    if (isSign(token, ";", "{", "(", "=")) return start;
    // The next declaration, where this one has no end.
    if (isWord(token, "template") && !isSign(before, "::", ".", "->")) return start;
    if (isWord(token, "operator")) return isSign(before, "::") ? start : undefined;
    const joined = isSign(token, "::") || isSign(before, "::");
    if ((token?.kind === "word" || isSign(token, "::")) && !(joined && start !== undefined)) start = i;
    if (isSign(token, "<")) i = (afterAngle(tokens, i) ?? tokens.length) - 1;
  }
  return start;
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

/** Whether an own type is what a parameter's type ends in, or an argument of such a template. */
function takesOwn(parameters: readonly Token[], generic: ReadonlySet<string>, world: World): boolean {
  const isOwn = (name: Token, i: number) =>
    name.kind === "word" &&
    !generic.has(name.text) &&
    isOwnName(name.text, world) &&
    !(isSign(parameters[i - 1], "::") && leadsOut(parameters[i - 2], name.text, world));
  for (let i = 0; i < parameters.length; i++) {
    const [token, next] = [parameters[i], parameters[i + 1]];
    if (token === undefined) break;
    if (isSign(token, "=")) {
      // A default argument, up to the next parameter.
      while (i + 1 < parameters.length && !isSign(parameters[i + 1], ",")) i = pastOne(parameters, i + 1) - 1;
    } else if (isSign(token, "(", "[", "{")) i = afterClosing(parameters, i) - 1;
    else if (isSign(next, "<")) {
      const end = afterAngle(parameters, i + 1) ?? parameters.length;
      const isMember = isSign(parameters[end], "::");
      if (!isMember && isOwn(token, i)) return true;
      // What an alias makes of its arguments nobody knows, nor what a member type has to do with them.
      if (isMember || world.isAlias(token.text) || /_[tv]$/.test(token.text)) i = end - 1;
    } else if (!isSign(next, "::") && !isWord(next, "auto") && isOwn(token, i)) return true;
  }
  return false;
}

function leadsOut(space: Token | undefined, name: string, world: World): boolean {
  if (space?.kind !== "word") return false;
  const pulled = world.pullsForeign(space.text) && libraryNames.has(name);
  return pulled || foreign.has(space.text) || world.isForeignAlias(space.text);
}

function pastOne(tokens: readonly Token[], at: number): number {
  if (isSign(tokens[at], "(", "[", "{")) return afterClosing(tokens, at);
  return isSign(tokens[at], "<") ? (afterAngle(tokens, at) ?? at + 1) : at + 1;
}

/** Names that the template head before a declarator introduces: they hide types of the same name. */
function templateNames(all: readonly Token[], at: number): Set<string> {
  const names = new Set<string>();
  for (let i = at - 1; i >= 0 && !isSign(all[i], ";", "{", "}") && !isWord(all[i], "operator"); i--) {
    const [before, token, after] = [all[i - 1], all[i], all[i + 1]];
    const isLast = isSign(after, ",", ">", "=") && (isSign(before, "...", ">") || before?.kind === "word");
    if (token?.kind === "word" && isLast) names.add(token.text);
  }
  return names;
}

/** Whether the innermost bracket around a position is a namespace's or a linkage block's brace, or none. */
export function isAtNamespaceScope(all: readonly Token[], at: number): boolean {
  const parent = all[at]?.parent ?? -1;
  return parent < 0 || (isSign(all[parent], "{") && isNamespaceBrace(all, parent));
}

function isNamespaceBrace(all: readonly Token[], open: number): boolean {
  for (let i = open - 1; i >= Math.max(0, open - 40); i--) {
    if (isWord(all[i], "namespace", "extern")) return true;
    if (isSign(all[i], "]")) i = openerOf(all, i);
    else if (isSign(all[i], ")") && isWord(all[openerOf(all, i) - 1], "__attribute__")) i = openerOf(all, i);
    else if (
      isSign(all[i], ";", "{", "}", ")") ||
      isWord(all[i], "class", "struct", "union", "enum", "requires")
    )
      return false;
  }
  return false;
}

/** Position of the bracket that the one at `closer` closes. */
function openerOf(all: readonly Token[], closer: number): number {
  let i = closer - 1;
  while (i > 0 && all[i]?.close !== closer) i = Math.min(i - 1, Math.max(0, all[i]?.parent ?? 0));
  return Math.max(0, i);
}
