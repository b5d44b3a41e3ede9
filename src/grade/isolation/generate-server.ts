/** Writes the unit that is compiled and linked with the candidate, against its own header, and answers calls. */
import { operationsOf, within } from "./generate-proxy.ts";
import type { Constructor, Method, Parameter, PlainClass, PlainHeader } from "./interface.ts";

/** A proxied header: where it is in the tree, and its interface in the baseline. */
export interface ProxiedHeader {
  readonly path: string;
  readonly header: PlainHeader;
}

interface Numbered {
  readonly path: string;
  readonly value: PlainClass;
  readonly first: number;
}

/**
 * The server unit. A patched header that no longer offers what the baseline's did stops its compile, with a
 * message that names the place in the header.
 */
export function serverUnit(headers: readonly ProxiedHeader[]): string {
  const classes = numbered(headers);
  const dispatch = classes.map(({ value, first }, i) => {
    const serve = ["", ...value.namespaces, `ho_serve_${i}`].join("::");
    return `        if (operation < ${first + operationsOf(value)}u) return ${serve}(operation, number, in, out);`;
  });
  return [
    ...headers.map(({ path }) => `#include "${path}"`),
    '#include "/k/remote.hpp"',
    ...classes.map((each, i) => within(each.value.namespaces, serveClass(each, i))),
    '#line 1 "<server>"',
    'extern "C" __attribute__((visibility("default"))) std::size_t ho_dispatch(',
    "    unsigned operation, unsigned number, const unsigned char* arguments, std::size_t size,",
    "    const unsigned char** reply);",
    "std::size_t ho_dispatch(unsigned operation, unsigned number, const unsigned char* arguments,",
    "                        std::size_t size, const unsigned char** reply) {",
    "    return ::ho_remote::answer(arguments, size, reply, [&](::ho_remote::Reader& in, ::ho_remote::Writer& out) {",
    "        if (operation == ~0u) return ::ho_remote::destroy_all();",
    ...dispatch,
    "        ho_remote_malformed();",
    "    });",
    "}",
    "",
  ].join("\n");
}

/** The classes of all headers with the number of each one's first operation. */
function numbered(headers: readonly ProxiedHeader[]): Numbered[] {
  let first = 0;
  return headers.flatMap(({ path, header }) =>
    header.items.flatMap((item) => {
      if (item.kind !== "class") return [];
      const here = { path, value: item.value, first };
      first += operationsOf(item.value);
      return [here];
    }),
  );
}

function serveClass({ path, value, first }: Numbered, index: number): string {
  const end = first + value.constructors.length;
  const at = (line: number) => `#line ${line} "${path}"`;
  return [
    at(value.line),
    `static_assert(::std::is_nothrow_destructible<${value.name}>::value, "its destructor must not throw");`,
    `static void ho_serve_${index}(unsigned operation, unsigned number, ::ho_remote::Reader& in, ::ho_remote::Writer& out) {`,
    "    (void)out;",
    "    switch (operation) {",
    ...value.constructors.flatMap((each, i) => [at(each.line), serveConstructor(value, each, first + i)]),
    at(value.line),
    `    case ${end}u: in.end(); ::ho_remote::destroy(number); break;`,
    ...value.methods.flatMap((method, i) => [at(method.line), serveMethod(value, method, end + 1 + i)]),
    at(value.line),
    "    default: ho_remote_malformed();",
    "    }",
    "}",
  ].join("\n");
}

function serveConstructor(value: PlainClass, declaration: Constructor, operation: number): string {
  const types = valueTypes(value, declaration.parameters);
  const [only, ...others] = types;
  const mustBeExplicit =
    declaration.isExplicit && only !== undefined && others.length === 0
      ? `static_assert(!::std::is_convertible<${only}, ${value.name}>::value, "the constructor must stay explicit"); `
      : "";
  const given = [`number`, ...arguments_(types)].join(", ");
  return `    case ${operation}u: { ${mustBeExplicit}${taken(types)}::ho_remote::create<${value.name}>(${given}); break; }`;
}

function serveMethod(value: PlainClass, method: Method, operation: number): string {
  const types = valueTypes(value, method.parameters);
  const self = `${method.isConst ? "const " : ""}${value.name}&`;
  const probe = `::std::declval<${self}>().${method.name}(${types.map((t) => `::std::declval<${t}>()`).join(", ")})`;
  const result = qualified(value, method.result);
  const name = `${value.name}::${method.name}`;
  const checks = [
    `static_assert(::std::is_same<decltype(${probe}), ${result}>::value, "${name} must return ${result}"); `,
    ...(method.isNoexcept ? [`static_assert(noexcept(${probe}), "${name} must stay noexcept"); `] : []),
  ].join("");
  const called = `::ho_remote::object<${self.slice(0, -1)}>(number).${method.name}(${arguments_(types).join(", ")})`;
  const answered = result === "void" ? called : `::ho_remote::Wire<${result}>::put(out, ${called})`;
  return `    case ${operation}u: { ${checks}${taken(types)}${answered}; break; }`;
}

/** Decodes arguments, in order, and insists that nothing follows them. */
function taken(types: readonly string[]): string {
  return `${types.map((type, i) => `auto a${i} = ::ho_remote::Wire<${type}>::take(in); `).join("")}in.end(); `;
}

function arguments_(types: readonly string[]): string[] {
  return types.map((type, i) => `static_cast<${type}&&>(a${i})`);
}

function valueTypes(value: PlainClass, parameters: readonly Parameter[]): string[] {
  return parameters.map((parameter) => qualified(value, parameter.value));
}

/** A type as it is called outside of the class. */
function qualified(value: PlainClass, type: string): string {
  return type.replace(/(?<![\w:])[A-Za-z_]\w*/g, (word) =>
    value.names.includes(word) ? `${value.name}::${word}` : word,
  );
}
