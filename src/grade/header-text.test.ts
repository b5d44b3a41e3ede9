import { expect, test } from "vitest";
import { compiledText } from "./header-text.ts";

test.each([
  ["int a; // one\nint b;\n", "int a; // two, and more\nint b;\n"],
  ["// one\nint a;\n", "   // another\nint a;\n"],
  ["int a;\r\nint b; // c\r\n", "int a;\nint b;\n"],
])("%j and %j are compiled to the same", (one, other) => {
  expect(compiledText(one)).toBe(compiledText(other));
});

test.each([
  ['const char* a = "// one";\n', 'const char* a = "// two";\n'],
  ["const char a = '/'; // one\n", "const char a = '/'; // two\n"],
  ['auto a = R"(\n// one\n)";\n', 'auto a = R"(\n// two\n)";\n'],
  ["/*\n// one */ int a;\n", "/*\n// two */ int a;\n"],
  ["// one \\\nint a;\n", "// two \\\nint a;\n"],
  ["#include <a//b>\n", "#include <a//c>\n"],
  ["int a; // one\n", "int a;\n\n// one\n"],
  ["int  a;\n", "int a;\n"],
])("%j and %j are told apart", (one, other) => {
  expect(compiledText(one)).not.toBe(compiledText(other));
});
