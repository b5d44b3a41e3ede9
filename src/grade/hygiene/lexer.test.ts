import { describe, expect, test } from "vitest";
import { lex } from "./lexer.ts";

const texts = (source: string) => lex(source).tokens.map(({ text }) => text);

describe("lex", () => {
  test("drops comments and keeps literals as one token each", () => {
    expect(texts('int /* asm */ x = f("asm // no", \'"\'); // asm')).toEqual([
      "int",
      "x",
      "=",
      "f",
      "(",
      "asm // no",
      ",",
      '"',
      ")",
      ";",
    ]);
  });

  test("joins spliced lines, also within a word, and counts lines as written", () => {
    const { tokens } = lex("as\\\nm\n(1) // a \\\n still a comment\nend");
    expect(tokens.map(({ text, line }) => [text, line])).toEqual([
      ["asm", 1],
      ["(", 3],
      ["1", 3],
      [")", 3],
      ["end", 5],
    ]);
  });

  test("reads raw strings as they were written, splices and quotes within", () => {
    expect(texts('x R"a(no " \\\n)" )a" y')).toEqual(["x", 'no " \\\n)" ', "y"]);
    expect(lex('R"(" asm ")"', { rawStrings: false }).tokens.map(({ text }) => text)).toEqual([
      "R",
      "(",
      "asm",
      ")",
    ]);
  });

  test("takes a digit separator for no quote", () => {
    expect(texts("1'000 asm 2'000")).toEqual(["1'000", "asm", "2'000"]);
  });

  test("reads digraphs and escaped letters as what they stand for", () => {
    expect(lex("%:define X <::>").directives[0]).toMatchObject({ name: "define" });
    expect(texts("<% x<:0:> %> \\u0061sm")).toEqual(["{", "x", "[", "0", "]", "}", "asm"]);
  });

  test("takes a # for a directive only where a line begins", () => {
    const { directives, tokens } = lex("a # b\n/* c\n */ # define X 1\n#include <a//b>\n");
    expect(directives.map(({ name }) => name)).toEqual(["define", "include"]);
    expect(directives[1]?.tokens[0]).toMatchObject({ kind: "header", text: "<a//b>" });
    expect(tokens.map(({ text }) => text)).toEqual(["a", "#", "b"]);
  });

  test("leaves out what stands under a literal #if 0, up to its #else", () => {
    expect(texts("#if 0\n#if 1\nasm\n#endif\nasm\n#else\nlive\n#endif\nend")).toEqual(["live", "end"]);
    expect(texts("#if X\none\n#endif")).toEqual(["one"]);
    const { directives } = lex("a\n#if 0\nb c\n#endif\nd\n#if 0\ne\n#endif\nf\n#define X");
    expect(directives.map(({ name, at }) => [name, at])).toEqual([
      ["if", 1],
      ["endif", 1],
      ["if", 2],
      ["endif", 2],
      ["define", 3],
    ]);
  });

  test("ends a line where GCC does: after a backslash, spaces and NULs, but not across a carriage return", () => {
    expect(texts("// a \\\r \nasm")).toEqual(["asm"]);
    expect(texts("// a \\ \t\0\nasm")).toEqual([]);
    expect(texts("// a \\\r\nasm")).toEqual([]);
    expect([lex("a\nb\rc").loneReturn, lex("a\r\nb").loneReturn]).toEqual([2, undefined]);
  });

  test("skips a byte order mark, and takes a NUL for white space", () => {
    expect(texts("\xef\xbb\xbfasm")).toEqual(["asm"]);
    expect(lex("\xef\xbb\xbf#define X").directives[0]).toMatchObject({ name: "define" });
    expect(lex("\0#define X").directives[0]).toMatchObject({ name: "define" });
  });

  test("reads no words in the text of #error", () => {
    expect(lex("#error don't use asm\nx").directives[0]?.tokens).toEqual([]);
  });

  test("finds trigraphs that matter and leaves those in comments alone", () => {
    expect(lex("// what??!\nint x;").trigraphs).toEqual([]);
    expect(lex("// hidden ??/\nasm();").trigraphs).toEqual([1]);
    expect(lex("\n??=define X").trigraphs).toEqual([2]);
  });

  test("matches brackets, and survives those that don't", () => {
    const { tokens } = lex("a{b(c)}");
    expect(tokens.map(({ close, parent }) => [close, parent])).toEqual([
      [7, -1],
      [6, -1],
      [7, 1],
      [5, 1],
      [7, 3],
      [7, 1],
      [7, -1],
    ]);
    expect(texts("}}(")).toEqual(["}", "}", "("]);
  });
});
