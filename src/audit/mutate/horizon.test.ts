/** Which quantities are probed, and what is planted. */
import { expect, test } from "vitest";
import { findBodies } from "./bodies.ts";
import { type HorizonProbe, horizonProbes } from "./horizon.ts";
import { applyMutant } from "./mutant.ts";

async function probesOf(text: string) {
  const files = new Map([["a.cpp", text]]);
  const probes = await horizonProbes(files, await findBodies(files));
  const planted = (probe: HorizonProbe | undefined, k: number) => {
    const mutant = probe?.at(k) ?? null;
    return mutant === null ? null : applyMutant(files, mutant).get("a.cpp");
  };
  return { probes, planted, find: (words: string) => probes.find((each) => each.quantity.includes(words)) };
}

const queue = `class Q { public: Q(unsigned long n); bool push(int v); void clear() { n_ = 0; } private: void grow(); unsigned long n_; std::vector<int> all_; };
Q::Q(unsigned long n) : n_(n) {}
bool Q::push(int v) { all_.push_back(v); return true; }
void Q::grow() { ++n_; }
namespace { int helper(int a) { return a; } }
`;

test("calls, values of both signs, members and their sizes are probed", async () => {
  const { probes } = await probesOf(queue);
  expect(probes.map(({ kind, quantity }) => `${kind}: ${quantity}`)).toEqual([
    "operations: calls of Q::clear on one object",
    "operations: calls of Q::push on one object",
    "value: values of v in Q::push",
    "value: values of v in Q::push below zero",
    "fill: values of Q::n_",
    "fill: sizes of Q::all_",
  ]);
});

test("a value is answered wrongly from 2^k on, or from -2^k down", async () => {
  const { find, planted } = await probesOf("bool f(int v) { return v; }");
  expect(planted(find("values of v in f"), 7)).toBe(
    "bool f(int v) { if (v >= (1LL << 7)) return false; return v; }",
  );
  expect(planted(find("below zero"), 7)).toBe(
    "bool f(int v) { if (v <= -(1LL << 7)) return false; return v; }",
  );
});

test("there is no probe beyond what the type holds", async () => {
  const { probes } = await probesOf("bool f(unsigned short v) { return v; }");
  const value = probes.find((each) => each.kind === "value");
  expect([15, 16, -1, 1.5].map((k) => value?.at(k) !== null)).toEqual([true, false, false, false]);
});

test("the size of what is given is probed", async () => {
  const { find, planted } = await probesOf("int f(const std::string& s) { return 1; }");
  expect(planted(find("sizes of s"), 10)).toContain("{ if (s.size() >= (1ULL << 10)) return 0; return 1; }");
  expect(find("sizes of s")?.kind).toBe("size");
});

test("a free function counts its calls in the program", async () => {
  const { find, planted } = await probesOf("int f() { return 1; }");
  expect(planted(find("calls of f"), 3)).toBe(
    "int f() { static thread_local unsigned long long ho_calls = 0; if (++ho_calls >= (1ULL << 3)) return 0; return 1; }",
  );
  expect(find("calls of f")?.at(3)?.body?.name).toBe("f");
});

test("the count starts again with every object built, even at the same address", async () => {
  const { find, planted } = await probesOf(queue);
  const text = planted(find("calls of Q::push"), 3);
  expect(text).toContain("n_(n) { ++ho_births;}");
  expect(text).toContain("ho_birth != ho_births");
});

test("a member is probed in all functions of its class, constructors left out", async () => {
  const { find, planted } = await probesOf(queue);
  const text = planted(find("values of Q::n_"), 4) ?? "";
  expect(text.split("if (n_ >= (1ULL << 4))").length).toBe(4);
  expect(text).toContain("n_(n) {}");
});

test("probes of one quantity differ in identity by k, and belong to their own family", async () => {
  const { find } = await probesOf("bool f(int v) { return v; }");
  const [one, other] = [find("values of v")?.at(3), find("values of v")?.at(4)];
  expect(one?.id).not.toBe(other?.id);
  expect(one).toMatchObject({ family: "horizon", operator: "horizon-value" });
});
