/** Writes the header that stands in for the candidate's where a test is compiled: same names, every call remote. */
import type { Constructor, HeaderItem, Method, Parameter, PlainClass, PlainHeader } from "./interface.ts";

/**
 * The proxy header. Its text comes from the baseline alone: nothing that a patch says reaches the test.
 *
 * @param first Number of the first operation of this header's classes.
 */
export function proxyHeader(header: PlainHeader, first: number): string {
  let operation = first;
  const items = header.items.map((item) => {
    const from = operation;
    if (item.kind === "class") operation += operationsOf(item.value);
    return within(namespacesOf(item), item.kind === "class" ? proxyClass(item.value, from) : item.text);
  });
  // The header's own includes first, in its own order: a precompiled header of them still fits.
  return [
    "#pragma once",
    ...header.includes,
    '#include "/k/remote.hpp"',
    ...items.map((item) => `\n${item}`),
    "",
  ].join("\n");
}

/** How many operations a class takes: its constructors, its end, its functions. They are numbered in this order. */
export function operationsOf(value: PlainClass): number {
  return value.constructors.length + 1 + value.methods.length;
}

/** Namespaces around an item. */
export function namespacesOf(item: HeaderItem): readonly string[] {
  return item.kind === "class" ? item.value.namespaces : item.namespaces;
}

/** A text inside of namespaces. */
export function within(namespaces: readonly string[], text: string): string {
  return [...namespaces.map((name) => `namespace ${name} {`), text, ...namespaces.map(() => "}")].join("\n");
}

function proxyClass(value: PlainClass, first: number): string {
  const { name, constructors, methods } = value;
  const end = first + constructors.length;
  return [
    `class ${name}${value.isFinal ? " final" : ""} {`,
    "public:",
    ...value.declarations.map((text) => `    ${text}`),
    ...constructors.map((each, i) => `    ${proxyConstructor(name, each, first + i)}`),
    `    ~${name}() { ::ho_remote::post(${end}u, ho_object_.number); }`,
    `    ${name}(const ${name}&) = delete;`,
    `    ${name}& operator=(const ${name}&) = delete;`,
    ...methods.map((method, i) => `    ${proxyMethod(method, end + 1 + i)}`),
    "",
    "private:",
    "    const ::ho_remote::Handle ho_object_;",
    "};",
  ].join("\n");
}

function proxyConstructor(name: string, declaration: Constructor, operation: number): string {
  const { parameters, isExplicit, isNoexcept } = declaration;
  const head = `${isExplicit ? "explicit " : ""}${name}(${declared(parameters)})${isNoexcept ? " noexcept" : ""}`;
  return `${head} { ${call("call", "void", parameters, operation)}; }`;
}

function proxyMethod(method: Method, operation: number): string {
  const { name, result, parameters, isConst, isNoexcept } = method;
  const head = `${result} ${name}(${declared(parameters)})${isConst ? " const" : ""}${isNoexcept ? " noexcept" : ""}`;
  // What gives no result and cannot throw need not be waited for.
  if (isPosted(method)) return `${head} { ${call("post", undefined, parameters, operation)}; }`;
  return `${head} { return ${call("call", result, parameters, operation)}; }`;
}

/** Whether a call of the function is sent along with the next one that has a reply. */
export function isPosted(method: Pick<Method, "result" | "isNoexcept">): boolean {
  return method.result === "void" && method.isNoexcept;
}

function declared(parameters: readonly Parameter[]): string {
  return parameters
    .map(({ type, fallback }, i) => `${type} a${i}${fallback === undefined ? "" : ` = ${fallback}`}`)
    .join(", ");
}

function call(
  how: "call" | "post",
  result: string | undefined,
  parameters: readonly Parameter[],
  operation: number,
): string {
  const types = [...(result === undefined ? [] : [result]), ...parameters.map(({ value }) => value)];
  const given = [`${operation}u`, "ho_object_.number", ...parameters.map((_, i) => `a${i}`)];
  return `::ho_remote::${how}${types.length === 0 ? "" : `<${types.join(", ")}>`}(${given.join(", ")})`;
}
