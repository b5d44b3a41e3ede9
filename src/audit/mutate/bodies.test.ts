/** Which bodies are found, what they are called, and which may stand side by side. */
import { expect, test } from "vitest";
import { findBodies } from "./bodies.ts";

async function found(text: string) {
  const bodies = await findBodies(new Map([["a.cpp", text]]));
  return bodies.map(({ start, end, name, switchable }) => [name, text.slice(start, end), switchable]);
}

test("names are qualified as written, or by the class around the definition", async () => {
  const text =
    "namespace n { struct S { int in() { return 1; } }; int S::out() { return 2; } } void S::operator()() { f(); }";
  expect(await found(text)).toEqual([
    ["S::in", "{ return 1; }", true],
    ["S::out", "{ return 2; }", true],
    ["S::operator()", "{ f(); }", true],
  ]);
});

test("constructors and destructors have a body, declarations and defaulted functions don't", async () => {
  expect(await found("struct S { S() : a(1) { g(); } ~S() {} S(int) = default; void f(); int a; };")).toEqual(
    [
      ["S::S", "{ g(); }", true],
      ["S::~S", "{}", true],
    ],
  );
});

test("what is evaluated while compiling, has labels, or is tried as a whole can't be switched", async () => {
  const bodies = await found(
    "constexpr int f() { return 1; } void g() { again: goto again; } int h() try { return 1; } catch (...) { return 2; }",
  );
  expect(bodies.map(([name, , switchable]) => [name, switchable])).toEqual([
    ["f", false],
    ["g", false],
    ["h", false],
  ]);
});

test("functions of local classes, and lambdas, belong to the function around them", async () => {
  const text = "void f() { struct L { int g() { return 1; } }; auto h = [] { return 2; }; }";
  expect(await found(text)).toEqual([["f", text.slice("void f() ".length), true]]);
});

test("templates and bodies in headers are switchable, and lines count from one", async () => {
  const [body] = await findBodies(new Map([["a.hpp", "\n\ntemplate <class T>\nT f(T a) { return a; }"]]));
  expect(body).toMatchObject({ file: "a.hpp", name: "f", switchable: true, line: 4 });
});

test("templates are told, as are functions with a parameter of any type, and where a constructor's initialisers begin", async () => {
  const text =
    "template <class T> struct S { int f() { return 1; } }; auto g(int a) { return a; } int h(const auto& a) { return a; } struct R { R(int a) : b(a) {} int b; };";
  const bodies = await findBodies(new Map([["a.hpp", text]]));
  expect(bodies.map(({ name, isTemplate }) => [name, isTemplate])).toEqual([
    ["S::f", true],
    ["g", false],
    ["h", true],
    ["R::R", false],
  ]);
  expect(bodies.map(({ from, start }) => text.slice(from, start))).toEqual(["", "", "", ": b(a) "]);
});
