import { describe, expect, test } from "vitest";
import { leadingSystemIncludes } from "./preamble.ts";

const tree = new Map([
  [
    "include/queue.hpp",
    "#pragma once\n// a queue\n#include <cstddef>\n#include <optional>\nclass Queue {};\n",
  ],
  ["include/guarded.hpp", "#ifndef G\n#define G\n#include <string>\n#endif\n"],
  ["include/vector", "// shadows the library's\n"],
]);
const list = (text: string) => leadingSystemIncludes("src/a.cpp", text, ["include"], (p) => tree.get(p));

describe("the system headers at the start of a unit", () => {
  test("are those before the first token that is none of them", () => {
    expect(list("#include <map>\n#include <set> // why\nint x;\n#include <list>\n")).toEqual(["map", "set"]);
  });
  test("are found through headers of the tree, up to where those do something", () => {
    expect(list('#include "queue.hpp"\n#include <map>\n')).toEqual(["cstddef", "optional"]);
    expect(list('#include "guarded.hpp"\n#include <map>\n')).toEqual(["string", "map"]);
  });
  test("leave out <cassert>, which means something new each time", () => {
    expect(list("#include <cassert>\n#include <map>\n")).toEqual(["map"]);
  });
  test("end at a macro or a condition, which could change what the next one means", () => {
    expect(list("#define _GLIBCXX_DEBUG\n#include <map>\n")).toEqual([]);
    expect(list("#include <map>\n#if X\n#include <set>\n#endif\n")).toEqual(["map"]);
  });
  test("end at a header that the tree shadows, or that is not there", () => {
    expect(list("#include <map>\n#include <vector>\n#include <set>\n")).toEqual(["map"]);
    expect(list('#include <map>\n#include "missing.hpp"\n#include <set>\n')).toEqual(["map"]);
  });
  test("are not looked for in comments, and a spliced line is one line", () => {
    expect(list("/* #include <map>\n*/\n#include <set>\n")).toEqual(["set"]);
    expect(list("#include \\\n<map>\nint x;")).toEqual([]);
  });
});
