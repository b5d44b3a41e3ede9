import { describe, expect, test } from "vitest";
import { sameHeaderDirectives, withoutSilentMacros } from "./silent-macros.ts";

const header = "#pragma once\n#include <optional>\n\nclass Queue {\n  int size_;\n};\n";
const test1 = "int main() { return 0; }\n";

interface Options {
  unit?: string;
  tests?: string[];
  outside?: string[];
}

function silence(text: string, options: Options = {}) {
  const before = new Map([
    ["q.hpp", header],
    ["q.cpp", '#include "q.hpp"\n'],
  ]);
  const after = new Map([
    ["q.hpp", text],
    ["q.cpp", options.unit ?? '#include "q.hpp"\n'],
  ]);
  return withoutSilentMacros(before, after, {
    texts: options.tests ?? [test1],
    namedOutside: (names) => names.some((name) => options.outside?.includes(name)),
  })?.get("q.hpp");
}

const edited = (line: string) => header.replace("#include <optional>\n", `#include <optional>\n${line}\n`);

describe("a macro is silent", () => {
  test.each([
    "#define EDITION 7",
    "#define EDITION",
    "# define EDITION (1 << 4) // bits",
    "#define A_1 a + b",
  ])("%s, and its line stays as an empty one", (line) => {
    expect(silence(edited(line))).toBe(edited(""));
  });

  test("that only a unit of the candidate names", () => {
    expect(silence(edited("#define LIMIT 7"), { unit: "int a = LIMIT;\n" })).toBe(edited(""));
  });

  test("whatever else a test pastes together", () => {
    expect(silence(edited("#define LIMIT 7"), { tests: ["#define T(a) LIM##a\n"] })).toBe(edited(""));
  });

  test("that only such macros name", () => {
    expect(silence(edited("#define ONE TWO\n#define TWO 2"))).toBe(edited("\n"));
  });

  test("with whatever else changes in the header", () => {
    const more = (text: string) => text.replace("int size_;", "long size_;");
    expect(silence(more(edited("#define LIMIT 7")))).toBe(more(edited("")));
  });
});

describe("a macro is left where it is", () => {
  test.each([
    ["the header names it", edited("#define size_ other")],
    ["the header names it elsewhere", `${edited("#define LIMIT 7")}int limit = LIMIT;\n`],
    ["it takes arguments", edited("#define LIMIT(x) x")],
    ["it is in small letters", edited("#define limit 7")],
    ["its name is reserved", edited("#define _LIMIT 7")],
    ["it goes on in the next line", edited("#define LIMIT \\\n 7")],
    ["a condition stands around it", edited("#ifndef LIMIT\n#define LIMIT 7\n#endif")],
    ["another directive is new", edited("#define LIMIT 7\n#include <vector>")],
    ["an include is gone", edited("#define LIMIT 7").replace("#include <optional>\n", "")],
    ["a comment may hide it", edited("#define LIMIT 7 /* seven */")],
    ["it may be text", `${edited("#define LIMIT 7")}auto t = R"(x)";\n`],
    ["it is spelt in digraphs", edited("%:define LIMIT 7")],
  ])("if %s", (_, text) => {
    expect(silence(text)).toBeUndefined();
  });

  test.each([
    ["a test names it", { tests: ["int a = LIMIT;\n"] }],
    ["a test names it across two lines", { tests: ["int a = LIM\\\nIT;\n"] }],
    ["a test may paste it", { tests: ["#define T(a) LIM##a\nint T(IT);"] }],
    ["a test may paste it with a number", { name: "T_12", tests: ["#define T(a) T_##a\nint T(__LINE__);"] }],
    ["a flag names it", { tests: ["-DLIMIT=3"] }],
    ["the library names it", { outside: ["LIMIT"] }],
    ["a test reads the unit that names it", { tests: ['#include "../q.cpp"\n'], unit: "int a = LIMIT;\n" }],
  ])("if %s", (_, { name = "LIMIT", ...options }: { name?: string } & Options) => {
    expect(silence(edited(`#define ${name} 7`), options)).toBeUndefined();
  });
});

test.each([
  ["#include <map>\n", "#include <map>\nint a;\n", true],
  ["#include <map>\n", "#include <set>\n", false],
  ["#include <map>\n#include <set>\n", "#include <set>\n#include <map>\n", false],
  ["int a;\n", "#define A\nint a;\n", false],
  ["/*\n#include <map>\n*/\n", "#include <map>\n", false],
  ["/* a */\n#include <map>\n", "/* a */\n#include <map>\n", true],
])("directives of %j and %j are the same: %s", (one, other, same) => {
  expect(sameHeaderDirectives(new Map([["a.hpp", one]]), new Map([["a.hpp", other]]))).toBe(same);
});
