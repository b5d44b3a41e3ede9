import { expect, test } from "vitest";
import { parseManifest } from "./manifest.ts";
import { digestOf, includeDirsOf, isHeader, isUnit, sha256, targetName } from "./task.ts";

test("units and headers are told by their suffix", () => {
  expect(["a.cpp", "a.cc", "a.c++", "a.C", "a.hpp", "a.h", "a", "a.md"].map(isUnit)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(["a.hpp", "a.h", "a.inl", "a.cpp", "a.diff"].map(isHeader)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

const manifest = parseManifest(
  '{"id":"t","sources":["a.cpp"],"visible":"v.cpp","hidden":"h.cpp","include":["third"]}',
  "m",
);

test("folders of headers among the sources follow those of include, each once", () => {
  expect(includeDirsOf(manifest, ["inc/a.hpp", "third/b.hpp", "c.hpp", "src/d.cpp", "inc/e.hpp"])).toEqual([
    "third",
    "inc",
    ".",
  ]);
});

test("a folder called include can be included from, however deep its headers lie", () => {
  expect(includeDirsOf(manifest, ["lib/include/lib/detail/a.hpp", "lib/include/lib/b.hpp"])).toEqual([
    "third",
    "lib/include/lib/detail",
    "lib/include/lib",
    "lib/include",
  ]);
});

test("a target is named by its layer, with a number only where there are several", () => {
  expect([targetName("hidden", 0, 1), targetName("hidden", 0, 2), targetName("hidden", 1, 2)]).toEqual([
    "hidden",
    "hidden[0]",
    "hidden[1]",
  ]);
});

test("a digest doesn't depend on the order of keys, and does on that of lists", () => {
  expect(digestOf({ a: 1, b: [1, 2] })).toBe(digestOf({ b: [1, 2], a: 1, c: undefined }));
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
});

test("bytes are digested as bytes", () => {
  expect(sha256("\xff")).toBe("a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89");
});
