/** The field's operators on statements: text in, replacements out. */
import { expect, test } from "vitest";
import { tryMutator } from "../try-mutator.ts";
import { allocation } from "./allocation.ts";
import { guards } from "./guards.ts";
import { returns } from "./returns.ts";
import { statements } from "./statements.ts";
import { swaps } from "./swaps.ts";
import { text } from "./text.ts";

const queue =
  "class Q { public: explicit Q(int n); bool push(int v); Q& reset(); private: int head_ = 0; int tail_ = 0; int* buf_; const int fixed_ = 3; };\n";
const inPush = { before: `${queue}bool Q::push(int v) { `, after: " }" };

test("a function returns other values of its type", async () => {
  const optional = { before: "std::optional<int> f() { ", text: "return 5;", after: " }" };
  expect(await tryMutator(returns, optional)).toEqual(["return {};", "return int(0);", "return int(1);"]);
  expect(await tryMutator(returns, { ...inPush, text: "return true;" })).toEqual(["return false;"]);
  expect(await tryMutator(returns, { before: "int* f() { ", text: "return p;", after: " }" })).toEqual([
    "return nullptr;",
  ]);
});

test("a function that gives a reference keeps its return statement", async () => {
  expect(
    await tryMutator(returns, { before: `${queue}Q& Q::reset() { `, text: "return *this;", after: " }" }),
  ).toEqual([]);
});

test("statements and loops are left out, and a loop runs once", async () => {
  const loop = "for (int i = 0; i < v; ++i) { ++head_; } return true;";
  expect(await tryMutator(statements, { ...inPush, text: loop })).toEqual([
    "{} return true;",
    "for (int i = 0; i < v; ++i) { ++head_; break; } return true;",
    "for (int i{}; i < v; ++i) { ++head_; } return true;",
    "for (int i = 0; i < v; ++i) { {} } return true;",
  ]);
});

test("nothing is left out that lets a function run off its end", async () => {
  const last = "if (v > 0) return true; else return false;";
  expect(await tryMutator(statements, { ...inPush, text: last })).toEqual([]);
});

test("initial values are left out, of members that are not constant", async () => {
  const results = await tryMutator(statements, { text: queue });
  expect(results).toEqual([queue.replace("head_ = 0", "head_"), queue.replace("tail_ = 0", "tail_")]);
  const built = { before: `${queue}Q::Q(int n) : `, text: "head_(n)", after: " {}" };
  expect(await tryMutator(statements, built)).toEqual(["head_()"]);
});

test("a guard and a throw are left out, and an else is dropped", async () => {
  expect(await tryMutator(guards, { ...inPush, text: "if (v < 0) return false; return true;" })).toEqual([
    "{} return true;",
  ]);
  expect(await tryMutator(guards, { ...inPush, text: "if (v) ++v; else --v; return true;" })).toEqual([
    "if (v) ++v;  return true;",
  ]);
  expect(await tryMutator(guards, { ...inPush, text: "throw 1; return true;" })).toEqual(["{} return true;"]);
});

test("neighbouring statements change places unless one declares something", async () => {
  const results = await tryMutator(swaps, { ...inPush, text: "++v; v = 2; int w = v; w = 1;" });
  expect(results).toEqual(["v = 2; ++v; int w = v; w = 1;"]);
});

test("arguments and members of one type stand for each other", async () => {
  expect(await tryMutator(swaps, { ...inPush, text: "return g(v, 2);" })).toContain("return g(2, v);");
  expect(await tryMutator(swaps, { ...inPush, text: "++head_;" })).toEqual(["++tail_;"]);
  expect(await tryMutator(swaps, { ...inPush, text: "this->head_ = v;" })).toEqual(["this->tail_ = v;"]);
});

test("room is made for one more, one less, half, and a fixed number", async () => {
  expect(await tryMutator(allocation, { ...inPush, text: "buf_ = new int[v];" })).toEqual([
    "buf_ = new int[v + 1];",
    "buf_ = new int[v - 1];",
    "buf_ = new int[v / 2];",
    "buf_ = new int[1024];",
  ]);
  expect(
    await tryMutator(allocation, {
      before: "std::vector<int> x; void f(int n) { ",
      text: "x.resize(n);",
      after: "}",
    }),
  ).toHaveLength(4);
  expect(await tryMutator(allocation, { text: "int table[1];" })).toEqual([]);
});

test("characters, strings, searches and ends have counterparts", async () => {
  const inText = { before: "bool f(const std::string& s, const std::string& t) { ", after: " }" };
  expect(await tryMutator(text, { ...inText, text: "g('a');" })).toEqual([
    "g('b');",
    "g('A');",
    "g(' ');",
    "g('\\0');",
  ]);
  expect(await tryMutator(text, { ...inText, text: 'g("ab");' })).toEqual(['g("");', 'g("a");']);
  expect(await tryMutator(text, { ...inText, text: "s.find(t);" })).toEqual(["s.rfind(t);"]);
  expect(await tryMutator(text, { ...inText, text: "unknown.find(t);" })).toEqual([]);
  expect(await tryMutator(text, { ...inText, text: "g(s.begin());" })).toEqual(["g(s.end());"]);
  expect(await tryMutator(text, { ...inText, text: "return s == t;" })).toEqual([
    "return (s.substr(0, t.size()) == t);",
    "return (s.size() == t.size());",
  ]);
});
