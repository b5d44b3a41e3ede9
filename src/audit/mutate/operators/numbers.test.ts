/** The field's operators on numbers and conditions: text in, replacements out. */
import { expect, test } from "vitest";
import type { Mutator } from "../mutator.ts";
import { tryMutator } from "../try-mutator.ts";
import { arithmetic } from "./arithmetic.ts";
import { bitwise } from "./bitwise.ts";
import { constants } from "./constants.ts";
import { logical } from "./logical.ts";
import { relational } from "./relational.ts";
import { unary } from "./unary.ts";

const before = "#include <string>\nint f(int a, int b, bool p, bool q, const char* s, std::string t) { ";
const made = (mutator: Mutator, text: string) => tryMutator(mutator, { before, text, after: " }" });

test("AOR and AOD change the operator or keep one operand", async () => {
  expect(await made(arithmetic, "return a + b;")).toEqual([
    "return a - b;",
    "return a * b;",
    "return a / b;",
    "return a % b;",
    "return a;",
    "return b;",
  ]);
});

test("a changed operator keeps the tree that was meant", async () => {
  expect(await made(arithmetic, "return a * b - 1;")).toContain("return (a * b) / 1;");
  expect(await made(arithmetic, "return !(a + b) + 1;")).toContain("return !(a - b) + 1;");
  expect(await made(relational, "return a + b == a * b;")).toContain("return (a + b) < (a * b);");
});

test("a pointer is stepped the other way, and texts are not subtracted", async () => {
  expect(await made(arithmetic, "auto e = s + a;")).toEqual(["auto e = s - a;", "auto e = s;"]);
  expect(await made(arithmetic, "auto u = t + t;")).toEqual([]);
});

test("ASR changes compound assignments", async () => {
  expect(await made(arithmetic, "a += b;")).toEqual(["a -= b;", "a *= b;", "a = b;"]);
  expect(await made(arithmetic, "t += s;")).toEqual([]);
});

test("ROR gives the other comparisons and both constants", async () => {
  const results = await made(relational, "return a < b;");
  const others = ["==", "!=", "<=", ">", ">="].map((operator) => `return a ${operator} b;`);
  expect(results).toEqual([...others, "return true;", "return false;"]);
});

test("ROR keeps to comparisons that the type surely has", async () => {
  expect(await made(relational, "return unknown() == t;")).toEqual([
    "return unknown() != t;",
    "return true;",
    "return false;",
  ]);
});

test("LCR changes the connective or keeps one side, and a pointer becomes a truth value", async () => {
  expect(await made(logical, "return p && s;")).toEqual([
    "return p || s;",
    "return (p);",
    "return static_cast<bool>(s);",
  ]);
});

test("conditions are negated and made constant", async () => {
  expect(await made(logical, "while (p) q = !q;")).toEqual([
    "while (!(p)) q = !q;",
    "while (true) q = !q;",
    "while (false) q = !q;",
  ]);
  expect(await made(logical, "if (auto x = s) b = 1;")).toEqual([]);
});

test("BOR changes bit operators of integers and leaves streams alone", async () => {
  expect(await made(bitwise, "return a & b;")).toEqual([
    "return a | b;",
    "return a ^ b;",
    "return a;",
    "return b;",
  ]);
  expect(await made(bitwise, "a <<= b;")).toEqual(["a >>= b;"]);
  expect(await made(bitwise, "std::cout << a << b;")).toEqual([]);
});

test("UOI moves a value that is read by one, and never what is written to", async () => {
  expect(await made(unary, "a = b;")).toEqual(["a = (b + 1);", "a = (b - 1);", "a = (-b);"]);
});

test("UOD drops an operator", async () => {
  expect(await made(unary, "return !p;")).toEqual(["return p;"]);
  expect(await made(unary, "return -(a);")).toContain("return (a);");
});

test("steps go the other way, give the other value, or stay", async () => {
  expect(await made(unary, "++a;")).toEqual(["--a;"]);
  const byReference = { before: "void take(int& x); void f(int a) { ", text: "take(++a);", after: " }" };
  expect(await tryMutator(unary, byReference)).toEqual(["take(--a);"]);
  expect(await made(unary, "return a++;")).toEqual(["return a--;", "return (++a);", "return a;"]);
});

test("integers become zero, one, one more and one less, with their suffix", async () => {
  expect(await made(constants, "return 7UL;")).toEqual([
    "return 0ul;",
    "return 1ul;",
    "return 8ul;",
    "return 6ul;",
  ]);
  expect(await made(constants, "return 0;")).toEqual(["return 1;", "return (-1);"]);
  expect(await made(constants, "return 0x10;")).toContain("return 17;");
  expect(await made(constants, "return 010;")).toEqual([]);
});

test("truth values flip, and a null pointer stays one", async () => {
  expect(await made(constants, "return true;")).toEqual(["return false;"]);
  expect(await made(constants, "return s == 0;")).toEqual([]);
  expect(await tryMutator(constants, { before: "int* g() { ", text: "return 0;", after: " }" })).toEqual([]);
});
