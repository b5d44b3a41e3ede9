import { expect, test } from "vitest";
import { located } from "./locate.ts";

const before = new Map([["a.cpp", "int exit_code;\nvoid f() { exit(1); }\n"]]);
const after = new Map([
  ["a.cpp", "// exit\nint exit_code;\nvoid f() { exit(1); }\nvoid g() { exit(0); std::ifstream in; }\n"],
]);
const options = { rawStrings: true };
const hit = (kind: string, detail: string) => ({ kind, detail, message: "", line: 0 });

test.each([
  ["symbol-use", "exit", 4],
  ["symbol-use", "files", 4],
  ["signature", "N::Q::f()", 3],
  ["symbol-define", "_ZN1Q1gEv", 4],
])("%s of %s leads to the line that is new, or else to the first that says so", (kind, detail, line) => {
  expect(located(hit(kind, detail), before, after, options)).toMatchObject({ file: "a.cpp", line });
});

test("where nothing says so there is no place", () => {
  expect(located(hit("section", ".preinit_array"), before, after, options)).toEqual(
    hit("section", ".preinit_array"),
  );
});
