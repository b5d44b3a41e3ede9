/** Mutants as small diffs. */
import { expect, test } from "vitest";
import type { Edit, Mutant } from "./mutant.ts";
import { renderMutant } from "./render.ts";

const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

function rendered(...edits: Edit[]): string {
  const line = text.slice(0, edits[0]?.start).split("\n").length;
  const mutant: Mutant = {
    ...{ id: "0123456789ab", file: "a.txt", line, operator: "X", family: "field", edits, body: null },
    ...{ original: "", replacement: "", meaning: "" },
  };
  return renderMutant(new Map([["a.txt", text]]), mutant);
}

const at = (was: string, becomes: string): Edit => {
  const start = text.indexOf(was);
  return { start, end: start + was.length, text: becomes };
};

test("a change is shown with two lines around it", () => {
  expect(rendered(at("five", "FIVE"))).toBe(
    "a.txt:5 X\n@@ -3,5 +3,5 @@\n three\n four\n-five\n+FIVE\n six\n seven\n",
  );
});

test("changes close by share a hunk, changes far apart don't", () => {
  expect(rendered(at("two", "2"), at("four", "4"))).toBe(
    "a.txt:2 X\n@@ -1,6 +1,6 @@\n one\n-two\n+2\n three\n-four\n+4\n five\n six\n",
  );
  expect(rendered(at("one", "1"), at("ten", "10")).split("@@").length).toBe(5);
});

test("lines may come and go", () => {
  expect(rendered(at("five", "5a\n5b"))).toContain("@@ -3,5 +3,6 @@\n three\n four\n-five\n+5a\n+5b\n six\n");
  expect(rendered(at("five\nsix", "56"))).toContain("-five\n-six\n+56\n seven\n");
});

test("two edits of one line are one change", () => {
  const start = text.indexOf("five");
  const twice = rendered(
    { start, end: start + 1, text: "F" },
    { start: start + 3, end: start + 4, text: "E" },
  );
  expect(twice).toContain("-five\n+FivE\n");
});
