/** How one function is told from the others that a compiler need not make code of. */
import { expect, test } from "vitest";
import { findBodies } from "../mutate/bodies.ts";
import { loneBody } from "./lone-body.ts";

test("one function is emitted; others that callers elsewhere may need are there to be inlined only", async () => {
  const text =
    "namespace { int a() { return 1; } } [[nodiscard]] int b() { return 2; } struct S { int c() { return 3; } S(); }; S::S() {} static int d() { return 4; } template <class T> T e(T t) { return t; }";
  const files = new Map([["a.cpp", text]]);
  const bodies = await findBodies(files);
  const one = (name: string) => {
    const body = bodies.find((each) => each.name === name) ?? expect.fail(name);
    return loneBody(files, bodies, body, [{ start: body.end - 1, end: body.end - 1, text: "/**/" }]).get(
      "a.cpp",
    );
  };
  const lone = "__attribute__((used)) ";
  const extern = "__attribute__((gnu_inline)) inline ";
  expect(one("b")).toBe(
    text
      .replace("int b() { return 2; }", `${lone}int b() { return 2; /**/}`)
      .replace("S::S() {", `${extern}S::S() {`),
  );
  expect(one("S::c")).toBe(
    text
      .replace("int b()", `${extern}int b()`)
      .replace("int c() { return 3; }", `${lone}int c() { return 3; /**/}`)
      .replace("S::S() {", `${extern}S::S() {`),
  );
});
