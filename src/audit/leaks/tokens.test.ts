import { expect, test } from "vitest";
import { type Tokens, tokensOf } from "./tokens.ts";

const salt = { a: 1, b: 2 };
const read = (text: string, comments: "keep" | "drop" = "keep") => written(tokensOf(text, salt, comments));

function written({ text, count, start, end }: Tokens): string {
  return Array.from({ length: count }, (_, i) => text.slice(start[i], end[i])).join(" ");
}

function hashes({ count, a, b }: Tokens): (number | undefined)[] {
  return Array.from({ length: count }, (_, i) => [a[i], b[i]]).flat();
}

test("braces, semicolons, quotes and std:: are no tokens", () => {
  expect(read("{ std::size_t i = 0; f(\"a b\", 'c'); }")).toBe("size_t i = 0 f ( a b , c )");
});

test("an apostrophe in a sentence hides nothing", () => {
  expect(read("it doesn't end\nhere")).toBe("it doesn t end here");
});

test("numbers hash by value, however they are written", () => {
  const one = tokensOf("0x10u 1'000 0b11", salt, "keep");
  expect(hashes(one)).toEqual(hashes(tokensOf("16 1000ull 3", salt, "keep")));
});

test("comments are left out, or only their marks are", () => {
  expect(read("a /* b */ c // d\ne", "drop")).toBe("a c e");
  expect(read("a /* b */ c // d\ne", "keep")).toBe("a b c d e");
});

test("what quotes, diffs and listings put before a line is no token", () => {
  for (const mark of ["> ", "> > ", "+", "-", "   12\t", "12 | ", " * ", "> +"])
    expect(read(`${mark}f(x)`)).toBe("f ( x )");
  expect(read("++i\n-=1")).toBe("++ i -= 1");
});

test("includes are no tokens, but what follows them on the line is", () => {
  expect(read("#include <new> int x")).toBe("int x");
  expect(read('#include "a.hpp"\n#define X 1')).toBe("define X 1");
});

test("another salt gives other hashes", () => {
  const other = tokensOf("push", { a: 1, b: 3 }, "keep");
  expect(hashes(other)).not.toEqual(hashes(tokensOf("push", salt, "keep")));
});
