/** Narrowing and the habits of models: text in, replacements out. */
import { expect, test } from "vitest";
import { tryMutator } from "../try-mutator.ts";
import { casts } from "./casts.ts";
import { narrowing } from "./narrowing.ts";
import { shownValues } from "./shown-values.ts";
import { specialCase } from "./special-case.ts";
import { wrapping } from "./wrapping.ts";

const visible = "int main() { Q q(8); for (int i = 0; i < 3; ++i) q.push(100); }";

test("a remainder becomes a mask, a single lap, or wraps one step off", async () => {
  const results = await tryMutator(wrapping, {
    before: "int f(int i, int n) { ",
    text: "return i % n;",
    after: " }",
  });
  expect(results).toEqual([
    "return (i & (n - 1));",
    "return (i >= n ? i - n : i);",
    "return (i > n ? i - n : i);",
    "return (i % (n + 1));",
    "return (i % (n - 1));",
  ]);
});

test("a remainder that is assigned keeps its variable", async () => {
  const results = await tryMutator(wrapping, {
    before: "int f(int i, int n) { ",
    text: "i %= n;",
    after: " return i; }",
  });
  expect(results[0]).toBe("i = (i & (n - 1));");
});

test("a use is cut to every narrower type, and to the other sign", async () => {
  const trial = { before: "#include <cstdint>\nint f(std::uint16_t a) { ", text: "return a;", after: " }" };
  expect(await tryMutator(casts, trial)).toEqual([
    "return static_cast<std::uint8_t>(a);",
    "return static_cast<std::int8_t>(a);",
    "return static_cast<std::int16_t>(a);",
  ]);
});

test("without <cstdint> the types are spelled out", async () => {
  const results = await tryMutator(casts, { before: "int f(short a) { ", text: "return a;", after: " }" });
  expect(results).toContain("return static_cast<unsigned short>(a);");
});

test("what is written to, captured or compared for its type is not cut", async () => {
  const trial = {
    before: "long f(long a, long b) { ",
    text: "a = 1; ++a; long* p = &a; g([a] {}); std::min(a, b);",
    after: " }",
  };
  expect(await tryMutator(casts, trial)).toEqual([]);
});

test("members and locals are declared narrower", async () => {
  const member = await tryMutator(narrowing, { text: "struct S { short n_ = 0; };" });
  expect(member).toEqual([
    "struct S { unsigned char n_ = 0; };",
    "struct S { signed char n_ = 0; };",
    "struct S { unsigned short n_ = 0; };",
  ]);
  expect(
    await tryMutator(narrowing, { before: "void f() { ", text: "long n = 1;", after: " }" }),
  ).toHaveLength(6);
});

test("a name that is bound by reference, or given between braces, keeps its type", async () => {
  const before = "void take(long& n); void f() { ";
  expect(await tryMutator(narrowing, { before, text: "long n = 1; take(n);", after: " }" })).toEqual([]);
  expect(await tryMutator(narrowing, { before, text: "long n = 1; long* p = &n;", after: " }" })).toEqual([]);
  expect(await tryMutator(narrowing, { text: "struct S { S(long n) : n_{n} {} long n_; };" })).not.toContain(
    "struct S { S(long n) : n_{n} {} int n_; };",
  );
});

test("a parameter keeps its type and has its value cut", async () => {
  const results = await tryMutator(narrowing, { text: "int f(short a) { return a; }" });
  expect(results[0]).toBe("int f(short a) { a = static_cast<unsigned char>(a); return a; }");
});

test("a quantity is held below the largest shown number, or becomes a shown one", async () => {
  const results = await tryMutator(shownValues, {
    before: "int f(int n) { ",
    text: "return n;",
    after: " }",
    visible,
  });
  expect(results).toEqual(["return (n < 100 ? n : 100);", "return 8;", "return 3;", "return 100;"]);
});

test("a body is right for shown numbers only", async () => {
  const results = await tryMutator(specialCase, { text: "bool f(int n) { return n; }", visible });
  expect(results).toEqual([
    "bool f(int n) { if (n != 0 && n != 1 && n != 8 && n != 3 && n != 100) return false; return n; }",
    "bool f(int n) { if (n != 0 && n != 1 && n != 8 && n != 3 && n != 100) return true; return n; }",
    "bool f(int n) { if (n > 100) return false; return n; }",
    "bool f(int n) { if (n > 100) return true; return n; }",
  ]);
});

test("a method is special-cased on members, a static one is not", async () => {
  const on = (storage: string) => ({
    text: `struct S { int n; ${storage} int f() { return 4; } };`,
    visible,
  });
  expect((await tryMutator(specialCase, on(""))).length).toBe(4);
  expect(await tryMutator(specialCase, on("static"))).toEqual([]);
});

test("a body is right for shown texts only, or for texts no longer than those", async () => {
  const text = "int f(const std::string& s) { return 1; }";
  const results = await tryMutator(specialCase, { text, visible: 'int main() { f("a,b"); f("c"); }' });
  expect(results).toContain(
    'int f(const std::string& s) { if (s != "a,b" && s != "c") return 0; return 1; }',
  );
  expect(results).toContain("int f(const std::string& s) { if (s.size() > 3) return 0; return 1; }");
});
