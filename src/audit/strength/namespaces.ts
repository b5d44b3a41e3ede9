/** Puts many versions of all sources and tests into one program, each in a namespace: for changes of types and members. */
import {
  type FileTree,
  isHeader,
  isUnit,
  type Target,
  type Task,
  type TestSource,
} from "../../model/task.ts";
import { applyMutant, type Mutant } from "../mutate/mutant.ts";
import { namespaceOf } from "./assembly.ts";
import { flatten } from "./flatten.ts";

/** A task of its own whose one candidate is all versions; `ho_mutant` chooses, and 0 is the reference. */
export interface NamespacedTask {
  readonly task: Task;
  readonly tree: FileTree;
}

const headersPath = "copies.hpp";
/** Macros of headers would have to differ from copy to copy in the tests; guards are no matter. */
const macroWithBody = /^[ \t]*#[ \t]*define[ \t]+\w+(?:\(|[ \t]+\S)/m;
const mainFunction = /\bint\s+main\s*\(([^)]*)\)/;

/**
 * Null where the sources don't lend themselves to it: macros in headers, or a test without a `main` that can be
 * told. What else may go wrong (names from the global namespace, specialisations in `std`) does not compile.
 */
export function inNamespaces(task: Task, files: FileTree, mutants: readonly Mutant[]): NamespacedTask | null {
  const all = new Map([...task.headers, ...files]);
  const headers = [...all.keys()].filter(isHeader);
  if (headers.some((path) => macroWithBody.test(all.get(path) ?? ""))) return null;
  const versions = [all, ...mutants.map((mutant) => applyMutant(all, mutant))];
  const tree = new Map([[headersPath, headerCopies(task, versions, headers)]]);
  for (const [i, unit] of [...all.keys()].filter(isUnit).entries())
    tree.set(`unit${i}.cpp`, unitCopies(task, versions, unit));
  const visible = targetsOf(task, task.layers.visible, versions);
  const hidden = targetsOf(task, task.layers.hidden, versions);
  if (visible === null || hidden === null) return null;
  const { reference: _reference, ...rest } = task;
  const copies: Task = {
    ...rest,
    reference: undefined,
    sources: tree,
    headers: new Map(),
    includeDirs: ["."],
    layers: { visible, hidden, reserve: [] },
  };
  return { task: copies, tree };
}

/** All headers of each version, in an order in which every one follows what it includes. */
function headerCopies(task: Task, versions: readonly FileTree[], headers: readonly string[]): string {
  const every = "every-header.cpp";
  const includes = headers.map((path) => `#include "${path}"\n`).join("");
  const flat = versions.map((files) => flatten(every, new Map(files).set(every, includes), task.includeDirs));
  return `#pragma once\n${systemIncludes(flat[0]?.system ?? [])}${flat
    .map(({ text }, i) => inNamespace(i, `#line 1 "variant-${i}"\n${text}`))
    .join("")}`;
}

/** A unit of each version, without the headers that are declared by then. */
function unitCopies(task: Task, versions: readonly FileTree[], unit: string): string {
  const flat = versions.map((files) => flatten(unit, files, task.includeDirs, isHeader));
  const texts = flat.map(({ text }, i) => inNamespace(i, `#line 1 "variant-${i}"\n${text}`));
  return `${systemIncludes(flat[0]?.system ?? [])}#include "${headersPath}"\n${texts.join("")}`;
}

function targetsOf(
  task: Task,
  targets: readonly Target[],
  versions: readonly FileTree[],
): readonly Target[] | null {
  const copied = targets.map((target) => {
    const mains = target.sources.filter(({ unit }) => mainFunction.test(unit));
    if (mains.length !== 1) return null;
    return { ...target, sources: target.sources.map((source) => sourceCopies(task, source, versions)) };
  });
  return copied.every((target) => target !== null) ? copied : null;
}

/** A test's unit once for each version, and a `main` that calls the chosen one's. */
function sourceCopies(task: Task, source: TestSource, versions: readonly FileTree[]): TestSource {
  const path = "test.cpp";
  const files = new Map(versions[0]).set(path, source.unit);
  const { system, text } = flatten(path, files, [".", ...task.includeDirs], isHeader);
  const parameters = mainFunction.exec(source.unit)?.[1]?.trim();
  const copies = versions.map((_, i) => inNamespace(i, text));
  const unit = `${systemIncludes(system)}#include "${headersPath}"\n${copies.join("")}${dispatcher(parameters, versions.length)}`;
  return { ...source, unit };
}

function dispatcher(parameters: string | undefined, count: number): string {
  if (parameters === undefined) return "";
  const args = parameters === "" || parameters === "void" ? "" : "argc, argv";
  const cases = Array.from(
    { length: count },
    (_, i) => `case ${i}: return ${namespaceOf(i)}::main(${args});`,
  );
  return [
    'extern "C" int ho_mutant;',
    "int main(int argc, char** argv) {",
    "(void)argc, (void)argv;",
    `switch (ho_mutant) { ${cases.join(" ")} }`,
    "return 99;",
    "}",
    "",
  ].join("\n");
}

function inNamespace(i: number, text: string): string {
  return `namespace ${namespaceOf(i)} {\n${text}\n}\n`;
}

function systemIncludes(names: readonly string[]): string {
  return names.map((name) => `#include <${name}>\n`).join("");
}
