import { expect, test } from "vitest";
import type { Body, Mutant } from "../mutate/mutant.ts";
import { placesOf } from "./places.ts";

const text = [
  "struct Q {",
  "  Q(int cap) : cap_(cap), buf_(new int[cap]) {}",
  "  int size() const { return n_; }",
  "  static constexpr int most() { return 8; }",
  "  int cap_; int n_ = 0; int pair_[2] = {1, 2};",
  "};",
].join("\n");

function bodyAfter(words: string, switchable: boolean): Body {
  const start = text.indexOf("{", text.indexOf(words));
  return {
    file: "q.hpp",
    start,
    from: start,
    head: start,
    isExported: false,
    isTemplate: false,
    end: text.indexOf("}", start) + 1,
    name: words,
    switchable,
    line: 1,
  };
}

const bodies = [
  bodyAfter("[cap])", true),
  bodyAfter("size() const", true),
  bodyAfter("constexpr int most", false),
];

/** The texts of the places of a mutant that changes these words. */
function placesAround(...words: readonly string[]): string[] | null {
  const edits = words.map((word) => {
    const start = text.indexOf(word);
    return { start, end: start + word.length, text: "x" };
  });
  const mutant = { id: "m", file: "q.hpp", edits, body: null } as unknown as Mutant;
  return placesOf(mutant, text, bodies)?.map(({ start, end }) => text.slice(start, end).trim()) ?? null;
}

test("a change inside of a body is switched with the whole body", () => {
  expect(placesAround("return n_")).toEqual(["{ return n_; }"]);
});

test("a change of an initialiser is switched with the initialiser", () => {
  expect(placesAround("0;".slice(0, 1))).toEqual(["0"]);
  expect(placesAround("new int")).toEqual(["new int[cap]"]);
});

test("changes at two places are switched at both", () => {
  expect(placesAround("return n_", "new int")).toEqual(["{ return n_; }", "new int[cap]"]);
});

test("types of members, lists of values and bodies that can't be switched have no place", () => {
  expect(placesAround("int cap_;")).toBeNull();
  expect(placesAround("1, 2")).toBeNull();
  expect(placesAround("return 8")).toBeNull();
});
