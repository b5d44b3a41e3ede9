import { describe, expect, test } from "vitest";
import { globFolder, isGlob, matcherOf, pathFault, tidyPath } from "./manifest-paths.ts";

describe("paths", () => {
  test.each(["a.cpp", "src/a b.cpp", "./a", "src/ü.cpp", "..a/b", "a/..b"])(
    "%s may stand in a manifest",
    (path) => {
      expect(pathFault(path)).toBeUndefined();
    },
  );

  test.each(["", "/a", "C:/a", "c:a", "a\\b", "..", "../a", "a/../../b", "a/..", "a\u0000b", "a\nb"])(
    "%j may not",
    (path) => {
      expect(pathFault(path)).toBeTypeOf("string");
    },
  );

  test("each path has one spelling", () => {
    expect([".", "./", "a/", "./a//b", "a/./b"].map(tidyPath)).toEqual([".", ".", "a", "a/b", "a/b"]);
  });
});

describe("sources", () => {
  test("a name matches itself only", () => {
    const matches = matcherOf(["src/a.cpp"]);
    expect(["src/a.cpp", "src/A.cpp", "a.cpp", "src/a.cpp/x"].map(matches)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("a glob matches new files but no dot files", () => {
    const matches = matcherOf(["src/**", "include/*.hpp"]);
    expect(
      ["src/new/x.cpp", "src/.x.cpp", "src/.git/x", "include/a.hpp", "include/b/a.hpp", "tests/v.cpp"].map(
        matches,
      ),
    ).toEqual([true, false, false, true, false, false]);
  });

  test("a file whose name looks like a glob still matches itself", () => {
    expect(matcherOf(["a(1).cpp", "b[2].cpp"])("a(1).cpp")).toBe(true);
  });

  test("globs are told from names, and know the folder they look in", () => {
    expect(["a.cpp", "a+b.cpp", "*.cpp", "src/{a,b}.cpp", "a?.cpp"].map(isGlob)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(["src/**", "*.cpp", "src/q/*.hpp"].map(globFolder)).toEqual(["src", ".", "src/q"]);
  });
});
