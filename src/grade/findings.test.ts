import { describe, expect, test } from "vitest";
import { pathInTree, readReport, soundsLikeBrokenSanitizer } from "./findings.ts";

const overflow = `=================================================================
==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000015c at pc 0x7f
WRITE of size 4 at 0x60200000015c thread T0
    #0 0x7f in operator new[](unsigned long) ../../../../src/libsanitizer/asan/asan_new_delete.cpp:98
    #1 0x7f68d44c73fa in Queue::push(int) src/queue.cpp:5
    #2 0x7f68d44cc6a2  (/proc/self/fd/6+0x16a2)
`;

describe("a sanitizer's report", () => {
  test("of AddressSanitizer names kind, access and the candidate's first frame", () => {
    expect(readReport(overflow)).toEqual({
      cause: "asan",
      finding: { kind: "heap-buffer-overflow", message: "WRITE of size 4", file: "src/queue.cpp", line: 5 },
    });
  });
  test("of UndefinedBehaviorSanitizer names kind and line", () => {
    const text =
      "src/q.cpp:12:10: runtime error: signed integer overflow: 1 + 2147483647 cannot be represented in type 'int'\n";
    expect(readReport(text)).toMatchObject({
      cause: "ubsan",
      finding: { kind: "signed-integer-overflow", file: "src/q.cpp", line: 12 },
    });
    const shift = "include/q.hpp:3:4: runtime error: shift exponent 64 is too large for 64-bit type 'int'\n";
    expect(readReport(shift)?.finding.kind).toBe("shift-exponent");
  });
  test("of LeakSanitizer says how much", () => {
    const text =
      "==3==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 40 byte(s)\n    #0 0x1 in operator new[](unsigned long) ../../x.cpp:1\n    #1 0x2 in Queue::Queue(unsigned long) src/q.cpp:4\n\nSUMMARY: AddressSanitizer: 40 byte(s) leaked in 1 allocation(s).\n";
    expect(readReport(text)).toEqual({
      cause: "leak",
      finding: {
        kind: "memory-leak",
        message: "40 byte(s) leaked in 1 allocation(s)",
        file: "src/q.cpp",
        line: 4,
      },
    });
  });
  test("never names a file outside of the tree or of the test", () => {
    const text = "=test.cpp:3:4: runtime error: division by zero\n";
    expect(readReport(text)?.finding).toEqual({ kind: "division-by-zero", message: "division by zero" });
  });
  test("that comes first wins", () => {
    const text = `src/q.cpp:1:1: runtime error: division by zero\n${overflow}`;
    expect(readReport(text)?.cause).toBe("ubsan");
  });
  test("is not seen in ordinary output", () => {
    expect(readReport("all good, no runtime error here\n")).toBeUndefined();
  });
});

test.each([
  ["include/lib/../common/a.hpp", "include/common/a.hpp"],
  ["./src/a.cpp", "src/a.cpp"],
  ["/usr/include/c++/12/bits/a.h", undefined],
  ["include/../../a.hpp", undefined],
  ["=test.cpp", undefined],
  ["<built-in>", undefined],
  ["??", undefined],
])("%s is %s in the tree", (file, path) => {
  expect(pathInTree(file)).toBe(path);
});

test("a sanitizer that could not do its work is recognised by its words, for the canary to confirm", () => {
  expect(soundsLikeBrokenSanitizer("==3==LeakSanitizer has encountered a fatal error.\n")).toBe(true);
  expect(soundsLikeBrokenSanitizer(overflow)).toBe(false);
});
