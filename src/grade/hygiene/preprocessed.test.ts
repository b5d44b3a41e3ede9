import { describe, expect, test } from "vitest";
import { macroFacts, newMacros } from "./macros.ts";
import { mostAfter, mostText, readPreprocessed } from "./preprocessed.ts";

const header = "include/a.hpp";
const read = (text: string) => readPreprocessed(text, (path) => path === header);

/** What a header does to macros, between a system header and the test. */
function output(own: string): string {
  return `# 1 "=test.cpp"\n# 1 "/usr/include/limits.h" 1 3\n#define INT_MAX 2147483647\nextern int lower_case;\n# 2 "=test.cpp" 2\n# 1 "${header}" 1\n${own}\n# 3 "=test.cpp" 2\nint main() {}\n`;
}

function found(own: string, before = ""): string[] {
  const facts = macroFacts(read(output(before)));
  return newMacros(facts, read(output(own)), new Set(["main", "BoundedQueue", "q"])).map(
    ({ detail, line }) => `${detail}:${line}`,
  );
}

describe("macros that reach the tests", () => {
  test.each([
    ["#define class struct", "class:1"],
    ["\n#define q mine", "q:2"],
    ["#define BoundedQueue Better", "BoundedQueue:1"],
    ["#define NDEBUG 1", "NDEBUG:1"],
    ["#define INT_MAX 3", "INT_MAX:1"],
    ["#undef INT_MAX", "INT_MAX:1"],
    ["#define _GLIBCXX_DEBUG 1", "_GLIBCXX_DEBUG:1"],
    ["#define lower_case 1", "lower_case:1"],
  ])("%j", (own, hit) => expect(found(own)).toEqual([hit]));

  test.each([
    "#define LIMIT 3",
    "#define GUARD_HPP",
    "#define q 1\n#undef q",
    "#define other_case 1",
    "#define _GNU_SOURCE 1",
  ])("harmless: %j", (own) => expect(found(own)).toEqual([]));

  test("what the baseline leaves behind is no finding, unless it reads otherwise now", () => {
    expect(found("#define q 1", "#define q 1")).toEqual([]);
    expect(found("#define q 2", "#define q 1")).toEqual(["q:1"]);
  });
});

test("the candidate's own text keeps its lines", () => {
  const { own } = read(
    `# 1 "x.cpp"\n# 1 "${header}" 1\nint a;\n#pragma once\n# 7 "${header}"\nint b; int c;\n# 3 "x.cpp" 2\nint d;\n`,
  );
  expect(
    own
      .get(header)
      ?.split("\n")
      .map((line) => line.trim()),
  ).toEqual(["int a;", "#pragma once", "", "", "", "", "int b; int c;"]);
});

describe("floods", () => {
  const isOwn = (path: string) => path === header;
  const bounded = (text: string, most = mostText) =>
    readPreprocessed(`# 1 "${header}" 1\n${text}\n`, isOwn, most);

  test.each([
    ["signs", ";".repeat(mostText.ownTokens + 1)],
    ["own text", "x".repeat(mostText.ownBytes + 1)],
    ["text", `# 1 "/usr/include/a.h" 1 3\n${"x".repeat(mostText.bytes)}`],
  ])("too many %s are not read", (_, text) => expect(bounded(text)).toBe("too-large"));

  test("honest text is read, and its size known", () => {
    const read = bounded("int a_1 = b+c;");
    expect(read !== "too-large" && read.size).toMatchObject({ ownBytes: 14, ownTokens: 7 });
    expect(bounded(`${"int value; ".repeat(300_000)}`)).not.toBe("too-large");
  });

  test("a large baseline may grow", () => {
    const size = { bytes: 0, ownBytes: 0, ownTokens: 2 * mostText.ownTokens };
    expect(bounded(";".repeat(mostText.ownTokens + 1), mostAfter(size))).not.toBe("too-large");
  });

  test("many macros are held against much of the library in one reading", () => {
    const system = `# 1 "/usr/include/a.h" 1 3\n${"int lower_case, other; ".repeat(50_000)}\n`;
    const own = Array.from({ length: 20_000 }, (_, i) => `#define case_${i} 1`).join("\n");
    const text = `${system}# 1 "${header}" 1\n${own}\n#define lower_case 1\n`;
    const start = performance.now();
    expect(newMacros(macroFacts(read("")), read(text), new Set()).map(({ detail }) => detail)).toEqual([
      "lower_case",
    ]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
