import { describe, expect, test } from "vitest";
import { normalisePatchedSources } from "./normalise.ts";

const digest = (text: string) => normalisePatchedSources(new Map([["a.cpp", text]]));

describe("two sources are the same", () => {
  test.each([
    ["blanks and line ends", "int f(){return 1+2;}", "int  f ( )\r\n{\n\treturn 1 + 2 ;\n}\n"],
    ["comments", "int a; // one\nint b;", "int a;\n/* two\n lines */ int b;"],
    ["a comment between tokens", "a/**/+b", "a + b"],
    ["a comment that goes on after a backslash", "int a; // b \\\n c\nint d;", "int a; int d;"],
    ["blanks within a directive", "#if A\nint a;\n#endif\n", "  #if   A\nint a;\n#endif\n"],
  ])("but for %s", (_name, one, other) => {
    expect(digest(one)).toBe(digest(other));
  });
});

describe("two sources are not the same", () => {
  test.each([
    ["a token", "int a = 1;", "int a = 2;"],
    ["where one token ends", "a + ++b", "a++ + b"],
    ["a blank inside a string", 'f("a b")', 'f("a  b")'],
    ["what looks like a comment inside a string", 'f("//x"); g();', 'f("//y"); g();'],
    ["a raw string", 'R"x(a // b)x"', 'R"x(a // c)x"'],
    ["line ends inside a raw string", 'R"(a\nb)"', 'R"(a b)"'],
    ["where a directive ends", "#define A\nint b;", "#define A int b;\n"],
    ["a macro's parameters", "#define f(x) 1\n", "#define f (x) 1\n"],
    ["code in a comment", "int a; /* int b; */", "int a; int b;"],
    ["a character", "c = ' ';", "c = '  ';"],
    ["a quote within a number", "1'000 + 'a'", "1'000 + 'b'"],
  ])("that differ in %s", (_name, one, other) => {
    expect(digest(one)).not.toBe(digest(other));
  });

  test("that stand in other files", () => {
    const [one, other] = [
      new Map([
        ["a.cpp", "x"],
        ["b.cpp", ""],
      ]),
      new Map([
        ["a.cpp", ""],
        ["b.cpp", "x"],
      ]),
    ];
    expect(normalisePatchedSources(one)).not.toBe(normalisePatchedSources(other));
  });
});

test("the order of files does not matter", () => {
  const entries: [string, string][] = [
    ["a", "1"],
    ["b", "2"],
  ];
  expect(normalisePatchedSources(new Map(entries))).toBe(normalisePatchedSources(new Map(entries.reverse())));
});

test.each(["/* ", '"\\', "'\\", 'R"(', "//\\\n", " ", "a", "1'", "#\n", '"', "\\\n", "u8"])(
  "a mebibyte of %j is read",
  (part) => {
    expect(digest(part.repeat((1024 * 1024) / part.length))).toMatch(/^[0-9a-f]{64}$/);
  },
);
