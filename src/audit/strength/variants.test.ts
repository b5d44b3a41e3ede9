import { expect, test } from "vitest";
import type { Mutant } from "../mutate/mutant.ts";
import { numbersIn, withVariants } from "./variants.ts";

const text = "int f() {\n  return 1;\n}\nint g = 2;\n";
const at = (word: string, replacement: string) => {
  const start = text.indexOf(word);
  return { start, end: start + word.length, text: replacement };
};
const mutantOf = (...edits: ReturnType<typeof at>[]) => ({ file: "a.cpp", edits }) as unknown as Mutant;
const body = { kind: "body", start: 8, end: 23 } as const;
const value = { kind: "expression", start: text.indexOf("2"), end: text.indexOf("2") + 1 } as const;

test("every version stands beside the reference's own, under a number and a file name of its own", () => {
  const tree = withVariants(new Map([["a.cpp", text]]), [
    { number: 1, mutant: mutantOf(at("1", "7")), places: [body] },
    { number: 2, mutant: mutantOf(at("2", "3")), places: [value] },
  ]);
  expect(tree.get("a.cpp")).toBe(
    [
      "#ifdef __cplusplus",
      'extern "C"',
      "#else",
      "extern",
      "#endif",
      "int ho_mutant;",
      '#line 1 "a.cpp"',
      "int f() { switch (ho_mutant) {",
      "case 1:",
      '#line 1 "variant-1"',
      "{\n  return 7;\n}",
      "break;",
      "default:",
      '#line 1 "a.cpp"',
      "{\n  return 1;\n}",
      "} }",
      '#line 3 "a.cpp"',
      "",
      "int g = ",
      '#line 1 "variant-2"',
      "ho_mutant == 2 ? (3) :",
      '#line 4 "a.cpp"',
      "(2)",
      '#line 4 "a.cpp"',
      ";\n",
    ].join("\n"),
  );
});

test("a mutant of two places is switched on by one number at both", () => {
  const both = mutantOf(at("1", "7"), at("2", "3"));
  const tree = withVariants(new Map([["a.cpp", text]]), [{ number: 5, mutant: both, places: [body, value] }]);
  expect(tree.get("a.cpp")).toContain("case 5:");
  expect(tree.get("a.cpp")).toContain("ho_mutant == 5 ? (3)");
});

test("files without mutants stay as they are", () => {
  const files = new Map([
    ["a.cpp", text],
    ["b.cpp", "int b;\n"],
  ]);
  const tree = withVariants(files, [{ number: 1, mutant: mutantOf(at("1", "7")), places: [body] }]);
  expect(tree.get("b.cpp")).toBe("int b;\n");
});

test("the compiler's errors lead back to the numbers of versions", () => {
  const said = "variant-12:1:9: error: x\nsrc/a.cpp:3: error: y\nvariant-3:2: error: z";
  expect([...numbersIn(said)]).toEqual([12, 3]);
});
