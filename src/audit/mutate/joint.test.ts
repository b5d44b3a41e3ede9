/** The same change at several sites. */
import { expect, test } from "vitest";
import { generateMutants } from "./generate.ts";
import { applyMutant } from "./mutant.ts";

async function joint(text: string, operator: string): Promise<(string | undefined)[]> {
  const files = new Map([["a.cpp", text]]);
  const mutants = await generateMutants({ files, visible: [] });
  const chosen = mutants.filter((each) => each.family === "joint" && each.operator === operator);
  return chosen.map((each) => applyMutant(files, each).get("a.cpp"));
}

test("one operator is changed at all its places of a function", async () => {
  const results = await joint("bool f(int a, int b) { return a < b && b < 9; }", "ROR-everywhere");
  expect(results).toContain("bool f(int a, int b) { return (a <= b) && (b <= 9); }");
  expect(results).not.toContain("bool f(int a, int b) { return (a <= b) && (b > 9); }");
});

test("a habit is applied throughout a file, over several functions", async () => {
  const text = "int f(int a, int b) { return a % b; } int g(int c) { return c % 4; }";
  expect(await joint(text, "mask-for-modulo-everywhere")).toEqual([
    "int f(int a, int b) { return (a & (b - 1)); } int g(int c) { return (c & (4 - 1)); }",
  ]);
});

test("two members that are declared and used alike are changed as a pair", async () => {
  const text =
    "struct Q { short head = 0; short tail = 0; long other = 0; void f() { ++head; } void g() { ++tail; } };";
  expect(await joint(text, "constant-pair")).toContain(
    text.replace("head = 0", "head = 1").replace("tail = 0", "tail = 1"),
  );
  expect(await joint(text, "narrow-member-pair")).toContain(
    text.replace("short head", "unsigned char head").replace("short tail", "unsigned char tail"),
  );
  expect(await joint(text, "increment-pair")).toEqual([text.replaceAll("++", "--")]);
});

test("a mutant in several functions has no one body", async () => {
  const files = new Map([["a.cpp", "int f(int a) { return a % 3; } int g(int c) { return c % 4; }"]]);
  const mutants = await generateMutants({ files, visible: [] });
  expect(mutants.find((each) => each.operator === "wrap-once-everywhere")?.body).toBeNull();
});
