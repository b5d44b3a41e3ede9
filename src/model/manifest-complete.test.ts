import { describe, expect, test } from "vitest";
import { completeFlags, mergeFlags, sanitizerClash, sanitizersOf } from "./manifest-complete.ts";

describe("sanitizersOf", () => {
  test.each<[string, string[], string[]]>([
    ["none are on without flags", [], []],
    ["a list in one flag", ["-fsanitize=address,undefined"], ["address", "undefined"]],
    [
      "several flags add up",
      ["-fsanitize=address", "-fsanitize=undefined,address"],
      ["address", "undefined"],
    ],
    [
      "a later -fno-sanitize takes one away",
      ["-fsanitize=address,undefined", "-fno-sanitize=address"],
      ["undefined"],
    ],
    ["a later -fsanitize puts it back", ["-fno-sanitize=address", "-fsanitize=address"], ["address"]],
    ["-fno-sanitize=all takes all away", ["-fsanitize=address", "-fno-sanitize=all"], []],
    ["a part of undefined may go", ["-fsanitize=undefined", "-fno-sanitize=vptr"], ["undefined"]],
    ["recovery is no sanitizer", ["-fsanitize-recover=all", "-fno-sanitize-recover=all"], []],
  ])("%s", (_, flags, expected) => {
    expect(sanitizersOf(flags)).toEqual(expected);
  });
});

describe("completeFlags", () => {
  test("adds what was left unsaid, before the task's own flags", () => {
    expect(completeFlags(["-std=c++17"])).toEqual({
      testFlags: ["-fsanitize=address,undefined", "-Og", "-g1", "-std=c++17"],
      flags: ["-fsanitize=address,undefined", "-O1", "-g", "-std=c++17"],
      sanitizers: ["address", "undefined"],
      notes: [],
    });
  });

  test("adds nothing that was said", () => {
    const flags = ["-fsanitize=thread", "-Os", "-ggdb3"];
    expect(completeFlags(flags).flags).toEqual(flags);
    expect(completeFlags(flags).testFlags).toEqual(flags);
  });

  test("a flag that only begins like -g or -O is none", () => {
    expect(
      completeFlags(["-fsanitize=address", "-fno-omit-frame-pointer", "-gno-column-info"]).flags.slice(0, 2),
    ).toEqual(["-O1", "-g"]);
  });

  test("keeps assertions live and reports fatal, and says so", () => {
    const { flags, notes } = completeFlags([
      "-DNDEBUG",
      "-D",
      "NDEBUG=1",
      "-D",
      "X",
      "-DNDEBUGGER",
      "-fsanitize-recover=undefined",
      "-O0",
      "-g",
      "-fsanitize=address",
    ]);
    expect(flags).toEqual(["-D", "X", "-DNDEBUGGER", "-O0", "-g", "-fsanitize=address"]);
    expect(notes).toEqual([
      "-DNDEBUG is dropped: assertions stay live",
      "-D NDEBUG=1 is dropped: assertions stay live",
      "-fsanitize-recover=undefined is dropped: a sanitizer's report ends the run",
    ]);
  });

  test("-fno-sanitize is the task's own choice and counts against the defaults", () => {
    expect(completeFlags(["-fno-sanitize=address"]).sanitizers).toEqual(["undefined"]);
  });

  test("a target's sanitize replaces every sanitizer flag", () => {
    expect(completeFlags(["-fsanitize=address", "-O1", "-g"], ["thread"])).toMatchObject({
      flags: ["-O1", "-g", "-fsanitize=thread"],
      sanitizers: ["thread"],
    });
    expect(completeFlags(["-O1", "-g", "-fno-sanitize=vptr"], "none")).toMatchObject({
      flags: ["-O1", "-g"],
      sanitizers: [],
    });
    expect(completeFlags(["-O1", "-g"], ["valgrind"])).toMatchObject({
      flags: ["-O1", "-g"],
      sanitizers: ["valgrind"],
    });
  });
});

test("a target's own -fsanitize replaces the manifest's, other flags add up", () => {
  expect(mergeFlags(["-O2", "-fsanitize=address"], ["-fsanitize=thread"])).toEqual([
    "-O2",
    "-fsanitize=thread",
  ]);
  expect(mergeFlags(["-O2", "-fsanitize=address"], ["-DX"])).toEqual(["-O2", "-fsanitize=address", "-DX"]);
});

test("sanitizers that can't share a process are named", () => {
  expect(sanitizerClash(["address", "undefined", "leak"])).toBeUndefined();
  expect(sanitizerClash(["address", "thread"])).toBe("sanitizers address and thread can't run together");
  expect(sanitizerClash(["thread", "leak"])).toBe("sanitizers thread and leak can't run together");
});
