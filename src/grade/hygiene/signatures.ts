/**
 * Stage D of hygiene: public functions that tests mention must still return what they returned. A probe is a line of
 * C++ that becomes one byte of data: 1 when a call has the baseline's type, 2 when it has another, 0 when there is
 * no such call. Only probes that are 1 with the baseline are held against a patch. Pure: texts in, texts out.
 */

import type { ElfFile } from "../elf.ts";
import { type FunctionDeclaration, publicFunctions } from "./declarations.ts";
import { lex, type Token } from "./lexer.ts";
import { afterAngle, isSign } from "./source-rule.ts";

/** One call whose type is asked for. */
export interface Probe {
  /** `BoundedQueue::push(std::int32_t)`, for messages and `allow`. */
  readonly name: string;
  readonly returns: string;
  /** One line of C++ that defines `ho_probe_N`. */
  readonly text: string;
}

const most = 400;

/** Probes for what a header declares, as far as the words of the tests mention it. */
export function probesFor(header: string, tests: readonly Token[]): Probe[] {
  const words = new Set(tests.filter((t) => t.kind === "word").map((t) => t.text));
  const functions = publicFunctions(lex(header).tokens).filter(
    (f) => words.has(f.name) && (f.owner === undefined || words.has(f.owner.name)),
  );
  return functions.flatMap((f) => probesOf(f, tests)).slice(0, most);
}

function probesOf(f: FunctionDeclaration, tests: readonly Token[]): Probe[] {
  const { owner } = f;
  const name = [...f.namespaces, ...(owner ? [owner.name] : []), f.name].join("::");
  const named = { name: `${name}(${f.parameters.join(", ")})`, returns: f.returns };
  if (!owner) return argumentsOf(f).map((list) => ({ ...named, text: freeText(f, list) }));
  const objects = f.isConst ? ["&", "const &"] : ["&"];
  return instances(owner.name, owner.parameters.length, tests).flatMap((given) =>
    [true, false].flatMap((derived) =>
      objects.flatMap((object) =>
        argumentsOf(f).map((list) => ({ ...named, text: memberText(f, given, derived, object, list) })),
      ),
    ),
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

/** Ways in which a test may pass arguments: as declared, as lvalues, as rvalues, as plain `int`s. */
function argumentsOf(f: FunctionDeclaration): string[] {
  const forms = ["P", "ho_lvalue<P>", "ho_rvalue<P>", "ho_int<P>"];
  const lists = forms.map((form) => f.parameters.map((_, i) => form.replace("P", `ho_p${i}`)).join(", "));
  return [...new Set(lists)];
}

function types(f: FunctionDeclaration): string {
  const parameters = f.parameters.map((p, i) => `using ho_p${i} = ${p};`).join(" ");
  return `using ho_r = ${f.returns}; ${parameters}`;
}

function freeText(f: FunctionDeclaration, list: string): string {
  const scope = f.namespaces.map((n) => `namespace ${n} {`).join(" ");
  const call = `template <class ho_o, class... ho_a> static auto call(int) -> decltype(${["", ...f.namespaces, f.name].join("::")}(ho_value<ho_a>()...));`;
  const probe = `struct HO_SCOPE { ${types(f)} ${call} ${otherwise} static constexpr unsigned char code = ho_code<decltype(call<${["int", list].filter(Boolean).join(", ")}>(0)), ho_r>::value; };`;
  return `${scope} ${probe} ${"}".repeat(f.namespaces.length)} ${result(f.namespaces)}`;
}

const otherwise = "template <class ho_o, class... ho_a> static ho_none call(...);";

function memberText(
  f: FunctionDeclaration,
  given: readonly string[],
  derived: boolean,
  object: string,
  list: string,
): string {
  const owner = f.owner ?? { name: "", parameters: [], types: [] };
  const self = given.length > 0 ? `${owner.name}<${given.join(", ")}>` : owner.name;
  const bound = owner.parameters.flatMap(({ name, valueType }, i) => {
    const value = given[i];
    if (value === undefined) return [];
    return [
      valueType === undefined
        ? `using ${name} = ${value};`
        : `static constexpr ${valueType} ${name} = ${value};`,
    ];
  });
  // A final class has no heirs that would know its types by their short names.
  if (!derived) bound.push(...owner.types.map((type) => `using ${type} = ${self}::${type};`));
  const scope = f.namespaces.map((n) => `namespace ${n} {`).join(" ");
  const call = `template <class ho_o, class... ho_a> static auto call(int) -> decltype(ho_value<ho_o>().${f.name}(ho_value<ho_a>()...));`;
  const probe = `struct HO_SCOPE${derived ? ` : ${self}` : ""} { ${bound.join(" ")} using ho_self = ${self}; ${types(f)} ${call} ${otherwise} };`;
  const code = `struct HO_CODE { static constexpr unsigned char code = ho_code<decltype(HO_SCOPE::call<${[`${object.startsWith("const") ? "const " : ""}HO_SCOPE::ho_self &`, qualified(list)].filter(Boolean).join(", ")}>(0)), HO_SCOPE::ho_r>::value; };`;
  return `${scope} ${probe} ${code} ${"}".repeat(f.namespaces.length)} ${result(f.namespaces, "HO_CODE")}`;
}

function qualified(list: string): string {
  return list.replace(/\bho_p\d+/g, "HO_SCOPE::$&");
}

function result(namespaces: readonly string[], struct = "HO_SCOPE"): string {
  return `extern "C" const unsigned char HO_RESULT; const unsigned char HO_RESULT = ${["", ...namespaces, struct].join("::")}::code;`;
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
template <class A, class B> struct ho_code { static constexpr unsigned char value = 2; };
template <class A> struct ho_code<A, A> { static constexpr unsigned char value = 1; };
template <class B> struct ho_code<ho_none, B> { static constexpr unsigned char value = 0; };
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
          `#line ${n + 1} "${probeFile}"\n${probe.text.replace(/\bHO_(SCOPE|CODE|RESULT)\b/g, (_, what: string) => `ho_${what.toLowerCase()}_${n}`)}`,
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

/** Reads the answers out of the compiled unit: probe number → 0, 1 or 2. */
export function answersIn(elf: ElfFile, salt: string): Map<number, number> {
  const answers = new Map<number, number>();
  for (const symbol of elf.symbols) {
    const n = symbol.name.startsWith(`ho${salt}_result_`)
      ? Number(symbol.name.split("_").at(-1))
      : Number.NaN;
    const byte = elf.sections[symbol.section]?.bytes[symbol.value];
    if (!Number.isNaN(n) && byte !== undefined) answers.set(n, byte);
  }
  return answers;
}
