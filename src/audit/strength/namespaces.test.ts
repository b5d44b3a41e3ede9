import { expect, test } from "vitest";
import type { Task } from "../../model/task.ts";
import type { Mutant } from "../mutate/mutant.ts";
import { inNamespaces } from "./namespaces.ts";

const files = new Map([
  ["a.hpp", "#pragma once\n#include <cstddef>\nstruct A { std::size_t n; };\n"],
  ["a.cpp", '#include "a.hpp"\n#include <vector>\nint f() { return 1; }\n'],
]);
const narrow = {
  file: "a.hpp",
  edits: [
    {
      start: files.get("a.hpp")?.indexOf("std::") ?? 0,
      end: files.get("a.hpp")?.indexOf(" n;") ?? 0,
      text: "int",
    },
  ],
} as unknown as Mutant;

function taskWith(unit: string): Task {
  const target = { name: "visible", sources: [{ path: "t.cpp", text: unit, unit, files: [] }] };
  const layers = { visible: [target], hidden: [target], reserve: [] };
  return { headers: new Map(), includeDirs: ["."], layers, reference: undefined } as unknown as Task;
}

const unit =
  '#line 1 "=0"\n#include "a.hpp"\n#include <cassert>\nint main(int argc, char** argv) { return argc; }\n';

test("each version of headers, units and tests is in a namespace of its own, and a number chooses", () => {
  const copies = inNamespaces(taskWith(unit), files, [narrow]);
  expect(copies?.tree.get("copies.hpp")).toMatch(
    /#include <cstddef>\nnamespace q00000q {[^}]*std::size_t n[\s\S]*namespace q00001q {[^}]*int n;/,
  );
  expect(copies?.tree.get("unit0.cpp")).toMatch(
    /^#include <vector>\n#include "copies\.hpp"\nnamespace q00000q/,
  );
  const test = copies?.task.layers.hidden[0]?.sources[0]?.unit ?? "";
  expect(test).toMatch(
    /^#include <cassert>\n#include "copies\.hpp"\nnamespace q00000q {\n#line 1 "=0"\n\n\nint main/,
  );
  expect(test).toContain(
    "case 0: return q00000q::main(argc, argv); case 1: return q00001q::main(argc, argv);",
  );
});

test("macros in headers, and tests without a main of their own, don't lend themselves to it", () => {
  const macros = new Map(files).set("b.hpp", "#define TWICE(x) ((x) * 2)\n");
  expect(inNamespaces(taskWith(unit), macros, [narrow])).toBeNull();
  expect(inNamespaces(taskWith("void helper();\n"), files, [narrow])).toBeNull();
});
