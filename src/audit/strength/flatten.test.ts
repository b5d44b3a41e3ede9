import { expect, test } from "vitest";
import { flatten } from "./flatten.ts";

const files = new Map([
  ["src/a.cpp", '#include "a.hpp"\n#include <vector>\n#include "a.hpp"\nint a() { return A; }\n'],
  ["include/a.hpp", "#pragma once\n#include <cstddef>\n#define A 1\nint a();\n"],
]);

test("headers are inlined once, and what the system has is named", () => {
  const unit = flatten("src/a.cpp", files, ["include"]);
  expect(unit.system).toEqual(["cstddef", "vector"]);
  expect(unit.text.match(/int a\(\);/g)).toHaveLength(1);
  expect(unit.text).not.toContain("#include");
  expect([...unit.files]).toEqual(["src/a.cpp", "include/a.hpp"]);
});

test("macros are taken back, so that the same text can follow", () => {
  expect(flatten("src/a.cpp", files, ["include"]).text).toContain("#undef A");
});
