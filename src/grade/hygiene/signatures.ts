/**
 * Stage D of hygiene: public functions, operators and data members that tests mention must still give what they gave.
 * A probe is a line of C++ that becomes one symbol, whose name holds the type that a call gives. The compiler's name
 * of a type knows no aliases, so what a patch makes of a name can't hide behind it: the answer is held against the
 * baseline's. Only probes that the baseline answers with what it declares are asked. Pure: texts in, texts out.
 */

import { type FieldDeclaration, type FunctionDeclaration, type Owner, publicNames } from "./declarations.ts";
import { lex, type Token } from "./lexer.ts";
import { afterAngle, isSign } from "./source-rule.ts";

/** One call whose type is asked for. */
export interface Probe {
  /** `BoundedQueue::push(std::int32_t)`, for messages and `allow`. */
  readonly name: string;
  /** What to say of it if the answer is another. */
  readonly message: string;
  /** What is called how; two probes of the same call differ in how they know the names of its types. */
  readonly call: string;
  /** One line of C++ that defines `HO_ANSWER`. */
  readonly text: string;
}

const most = 800;

/** Probes for what a header declares, as far as the words of the tests mention it. */
export function probesFor(header: string, tests: readonly Token[]): Probe[] {
  const { functions, fields } = publicNames(lex(header).tokens);
  const words = new Set(tests.filter((t) => t.kind === "word").map((t) => t.text));
  // A loop over a range asks for both without a word.
  if (words.has("for")) words.add("begin").add("end");
  const signs = new Set(tests.filter((t) => t.kind === "punct").map((t) => t.text));
  const isCalled = (f: FunctionDeclaration): boolean =>
    f.operator === undefined ? words.has(f.name) : [...signsOf(f.operator)].every((sign) => signs.has(sign));
  const called = functions.filter(isCalled);
  const used = fields.filter(({ name }) => words.has(name));
  const owners = reachable(words, called, used);
  const isOwned = ({ owner }: { readonly owner?: Owner }) => owner === undefined || owners.has(owner.name);
  return [
    ...used.filter(isOwned).flatMap((field) => probesOfField(field, tests)),
    ...called.filter(isOwned).flatMap((f) => probesOf(f, tests)),
  ].slice(0, most);
}

function signsOf(operator: string): readonly string[] {
  return operator === "->" ? [operator] : [...operator];
}

/** Words of the tests, and of what the functions and members that these mention give: `auto` needs no name. */
function reachable(
  tests: ReadonlySet<string>,
  functions: readonly FunctionDeclaration[],
  fields: readonly FieldDeclaration[],
): Set<string> {
  const words = new Set(tests);
  const all = [
    ...functions.map(({ owner, returns }) => ({ owner, text: returns })),
    ...fields.map(({ owner, declared }) => ({ owner, text: declared })),
  ];
  for (let before = -1; before < words.size; ) {
    before = words.size;
    for (const { owner, text } of all)
      if (owner === undefined || words.has(owner.name))
        for (const [word] of text.matchAll(/\w+/g)) words.add(word);
  }
  return words;
}

function qualifiedName(f: Pick<FunctionDeclaration, "namespaces" | "owner" | "name">): string {
  const { owner } = f;
  return [...f.namespaces, ...(owner ? [owner.name, ...(owner.nested ?? [])] : []), f.name].join("::");
}

/** The text of a type as people write it: a name without spaces can be copied into a manifest. */
function spelled(type: string): string {
  return type.replace(/(?<!\w) | (?!\w)/g, "").replaceAll(",", ", ");
}

function probesOf(f: FunctionDeclaration, tests: readonly Token[]): Probe[] {
  const { owner } = f;
  const name = `${qualifiedName(f)}(${f.parameters.map(spelled).join(", ")})`;
  const lists = argumentsOf(f, tests);
  if (!owner)
    return lists.map((list) => ({
      name,
      message: `a call no longer gives ${spelled(f.returns)}`,
      call: `${name} ${list}`,
      text: freeText(f, list),
    }));
  const made = (object: string, list: string): Probe[] =>
    scopes(owner, tests).map(({ given, derived }) => ({
      name,
      message: `a call no longer gives ${spelled(f.returns)}`,
      call: `${name} ${given.join()} ${object} ${list}`,
      text: memberText({ ...f, owner }, given, derived, object, list),
    }));
  const objects = f.isConst ? ["&", "const &"] : ["&"];
  return [
    ...objects.flatMap((object) => lists.flatMap((list) => made(object, list))),
    ...made("&&", lists[0] ?? ""),
  ];
}

function probesOfField(field: FieldDeclaration, tests: readonly Token[]): Probe[] {
  const name = qualifiedName(field);
  return instances(field.owner.name, field.owner.parameters.length, tests).map((given) => ({
    name,
    message: "is no longer of the type that it was",
    call: `${name} ${given.join()}`,
    text: fieldText(field, given),
  }));
}

interface InScope {
  readonly given: readonly string[];
  readonly derived: boolean;
}

function scopes(owner: Owner, tests: readonly Token[]): InScope[] {
  return instances(owner.name, owner.parameters.length, tests).flatMap((given) =>
    [true, false].map((derived) => ({ given, derived })),
  );
}

/** Template arguments that the tests give to a class; one empty list for a plain class. */
function instances(name: string, parameters: number, tests: readonly Token[]): (readonly string[])[] {
  if (parameters === 0) return [[]];
  const found = new Map<string, string[]>();
  for (const [i, token] of tests.entries()) {
    const end = token.text === name && isSign(tests[i + 1], "<") ? afterAngle(tests, i + 1) : undefined;
    if (end === undefined) continue;
    const inner = tests.slice(i + 2, end - 1);
    const given = inner.map((t) => t.text).join(" ");
    // Arguments that are templates themselves are kept whole by leaving commas inside them alone.
    if (!inner.some((t) => isSign(t, "<", "(")) || parameters === 1)
      found.set(given, parameters === 1 ? [given] : given.split(" , "));
  }
  return [...found.values()].filter((list) => list.length <= parameters).slice(0, 4);
}

/** Arithmetic types of literals; what doesn't take them gets a string literal or the declared type. */
const literals = ["int", "unsigned", "long", "double", "char", "bool"];

/**
 * Ways in which a test may pass arguments: as declared, as lvalues, as rvalues, as plain `int`s, as literals, and with
 * the very types of those calls in the tests that pass nothing but literals.
 */
function argumentsOf(f: FunctionDeclaration, tests: readonly Token[]): string[] {
  if (f.parameters.length === 0) return [""];
  const forms = [
    "P",
    "ho_lvalue<P>",
    "const ho_plain<P>&",
    "ho_rvalue<P>",
    "ho_int<P>",
    ...literals.map((type) => `ho_literal<${type}, P>`),
  ];
  const lists = forms.map((form) => f.parameters.map((_, i) => form.replace(/\bP\b/, `ho_p${i}`)).join(", "));
  return [...new Set([...lists, ...literalCalls(f, tests)])];
}

const mostCalls = 24;

/** Types of the arguments of `name(…)` in the tests, where all of them are literals. */
function literalCalls(f: FunctionDeclaration, tests: readonly Token[]): string[] {
  const found = new Set<string>();
  for (const [i, token] of tests.entries()) {
    if (found.size >= mostCalls) break;
    if (f.operator !== undefined || token.text !== f.name || !isSign(tests[i + 1], "(")) continue;
    const types: string[] = [];
    for (let at = i + 2; types.length < f.parameters.length + 4; at += 2) {
      if (isSign(tests[at], "-")) at++;
      const type = literalType(tests[at]);
      if (type === undefined) break;
      types.push(type);
      if (isSign(tests[at + 1], ")")) found.add(types.join(", "));
      if (!isSign(tests[at + 1], ",")) break;
    }
  }
  return [...found];
}

function literalType(token: Token | undefined): string | undefined {
  if (token?.kind === "number") return `decltype(${token.text})`;
  if (token?.kind === "char") return "char";
  if (token?.kind === "word") return /^(true|false)$/.test(token.text) ? "bool" : undefined;
  if (token?.kind !== "string") return undefined;
  const length = token.text.replace(/\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)/gs, "?").length;
  return `const char (&)[${length + 1}]`;
}

function types(f: FunctionDeclaration): string {
  const parameters = f.parameters.map((p, i) => `using ho_p${i} = ${p};`).join(" ");
  return `using ho_r = ${f.returns}; ${parameters}`;
}

function freeText(f: FunctionDeclaration, list: string): string {
  const scope = f.namespaces.map((n) => `namespace ${n} {`).join(" ");
  const call = `template <class ho_o, class... ho_a> static auto call(int) -> ho_type<decltype(${["", ...f.namespaces, f.name].join("::")}(ho_value<ho_a>()...))>;`;
  const probe = `struct HO_SCOPE { ${types(f)} ${call} ${otherwise} using ho_answer = decltype(call<${["int", list].filter(Boolean).join(", ")}>(0)); };`;
  return `${scope} ${probe} ${"}".repeat(f.namespaces.length)} ${result(f.namespaces)}`;
}

const otherwise = "template <class ho_o, class... ho_a> static ho_type<ho_none> call(...);";

type MemberDeclaration = FunctionDeclaration & { readonly owner: Owner };

/** The expression that a test writes: through it free operators count as well. */
function memberCall({ name, operator, parameters }: MemberDeclaration): string {
  const object = "ho_value<ho_o>()";
  const given = "ho_value<ho_a>()...";
  const first = "ho_value<typename ho_first<ho_a...>::type>()";
  if (operator === undefined || operator === "->") return `${object}.${name}(${given})`;
  if (operator === "()") return `${object}(${given})`;
  if (operator === "[]") return parameters.length === 1 ? `${object}[${first}]` : `${object}[${given}]`;
  if (parameters.length === 0) return `${operator}${object}`;
  if (operator === "++" || operator === "--") return `${object}${operator}`;
  return `${object} ${operator} ${first}`;
}

function memberText(
  f: MemberDeclaration,
  given: readonly string[],
  derived: boolean,
  object: string,
  list: string,
): string {
  const { owner } = f;
  const outer = outerOf(owner, given);
  const self = selfOf(owner, given);
  const bound = boundTo(owner, given);
  // A final class has no heirs that would know its types by their short names.
  if (!derived) bound.push(...owner.types.map((type) => `using ${type} = ${outer}::${type};`));
  const scope = f.namespaces.map((n) => `namespace ${n} {`).join(" ");
  const call = `template <class ho_o, class... ho_a> static auto call(int) -> ho_type<decltype(${memberCall(f)})>;`;
  const probe = `struct HO_SCOPE${derived ? ` : ${outer}` : ""} { ${bound.join(" ")} using ho_self = ${self}; ${types(f)} ${call} ${otherwise} };`;
  const objectType = `${object.startsWith("const") ? "const " : ""}HO_SCOPE::ho_self ${object.replace("const ", "")}`;
  const code = `struct HO_CODE { using ho_r = HO_SCOPE::ho_r; using ho_answer = decltype(HO_SCOPE::call<${[objectType, inScope(list)].filter(Boolean).join(", ")}>(0)); };`;
  return `${scope} ${probe} ${code} ${"}".repeat(f.namespaces.length)} ${result(f.namespaces, "HO_CODE")}`;
}

function fieldText(field: FieldDeclaration, given: readonly string[]): string {
  const { owner, namespaces } = field;
  const scope = namespaces.map((n) => `namespace ${n} {`).join(" ");
  const call = `template <class ho_o> static auto call(int) -> ho_type<decltype(ho_value<ho_o>().${field.name})>; ${otherwise}`;
  const probe = `struct HO_SCOPE { ${call} using ho_self = ${selfOf(owner, given)}; };`;
  const code =
    "struct HO_CODE { using ho_answer = decltype(HO_SCOPE::call<HO_SCOPE::ho_self &>(0)); using ho_r = ho_answer::type; };";
  return `${scope} ${probe} ${code} ${"}".repeat(namespaces.length)} ${result(namespaces, "HO_CODE")}`;
}

function outerOf(owner: Owner, given: readonly string[]): string {
  return given.length > 0 ? `${owner.name}<${given.join(", ")}>` : owner.name;
}

function selfOf(owner: Owner, given: readonly string[]): string {
  return [outerOf(owner, given), ...(owner.nested ?? [])].join("::");
}

/** The template's own parameters, under their names. */
function boundTo(owner: Owner, given: readonly string[]): string[] {
  return owner.parameters.flatMap(({ name, valueType }, i) => {
    const value = given[i];
    if (value === undefined) return [];
    return [
      valueType === undefined
        ? `using ${name} = ${value};`
        : `static constexpr ${valueType} ${name} = ${value};`,
    ];
  });
}

function inScope(list: string): string {
  return list.replace(/\bho_p\d+/g, "HO_SCOPE::$&");
}

/** A function whose symbol names the type that a call gives, and whether it is the declared one. */
function result(namespaces: readonly string[], struct = "HO_SCOPE"): string {
  const at = ["", ...namespaces, struct].join("::");
  return `template <class, bool> void HO_ANSWER() {} template void HO_ANSWER<${at}::ho_answer::type, ho_same<${at}::ho_answer::type, ${at}::ho_r>::value>();`;
}

const prelude = `template <class T> T&& ho_value() noexcept;
struct ho_none {};
template <class T> struct ho_bare { using type = T; };
template <class T> struct ho_bare<T&> { using type = T; };
template <class T> struct ho_bare<T&&> { using type = T; };
template <class T> struct ho_mutable { using type = T; };
template <class T> struct ho_mutable<const T> { using type = T; };
template <class T> using ho_plain = typename ho_mutable<typename ho_bare<T>::type>::type;
template <class T> using ho_lvalue = ho_plain<T>&;
template <class T> using ho_rvalue = ho_plain<T>&&;
template <class T, bool> struct ho_choose { using type = int; };
template <class T> struct ho_choose<T, false> { using type = T; };
template <class T> struct ho_is_integer { static constexpr bool value = false; };
${["short", "unsigned short", "unsigned", "long", "unsigned long", "long long", "unsigned long long"].map((t) => `template <> struct ho_is_integer<${t}> { static constexpr bool value = true; };`).join("\n")}
template <class T> using ho_int = typename ho_choose<T, ho_is_integer<ho_plain<T>>::value>::type;
template <class A, class B> struct ho_same { static constexpr bool value = false; };
template <class A> struct ho_same<A, A> { static constexpr bool value = true; };
template <class T> struct ho_type { using type = T; };
template <class... T> struct ho_first { using type = int; };
template <class A, class... T> struct ho_first<A, T...> { using type = A; };
template <class P> int ho_take(P);
template <class F, class P> struct ho_fits {
  template <class G, class Q> static auto go(int) -> ho_type<decltype(ho_take<Q>(ho_value<G>()))>;
  template <class G, class Q> static ho_none go(...);
  static constexpr bool value = !ho_same<decltype(go<F, P>(0)), ho_none>::value;
};
using ho_text = const char (&)[2];
template <class F, class P, bool isText, bool fits> struct ho_pick { using type = P; };
template <class F, class P, bool fits> struct ho_pick<F, P, true, fits> { using type = ho_text; };
template <class F, class P> struct ho_pick<F, P, false, true> { using type = F; };
template <class F, class P> using ho_literal = typename ho_pick<F, P, ho_fits<ho_text, P>::value && !ho_same<ho_plain<P>, bool>::value, ho_fits<F, P>::value>::type;
`;

/** File name that errors in probes carry. */
export const probeFile = "=probe";

/**
 * The unit that asks all probes of `probes` that aren't `undefined`: what the test includes, then one line each.
 * `salt` goes into every name of ours, so that a header can't speak to them.
 */
export function probeUnit(test: string, probes: readonly (Probe | undefined)[], salt: string): string {
  const lines = probes.flatMap((probe, n) =>
    probe === undefined
      ? []
      : [
          `#line ${n + 1} "${probeFile}"\n${probe.text.replace(/\bHO_(SCOPE|CODE|ANSWER)\b/g, (_, what: string) => `ho_${what.toLowerCase()}_${n}`)}`,
        ],
  );
  const names = (text: string) => text.replace(/\bho_(?=\w)/g, `ho${salt}_`);
  return `${names(prelude)}\n${directivesOf(test)}\n${names(lines.join("\n"))}\n`;
}

/** The directives of a test unit: its includes in their order, and the macros and conditions around them. */
function directivesOf(test: string): string {
  const lines = test.split("\n");
  return lex(test)
    .directives.filter((d) => d.name !== "line")
    .map((d) => {
      let end = d.line;
      while (/\\\s*$/.test(lines[end - 1] ?? "")) end++;
      return lines.slice(d.line - 1, end).join("\n");
    })
    .join("\n");
}
