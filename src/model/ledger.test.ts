import { describe, expect, test } from "vitest";
import { countLabels, defaultQueryBudget, type LedgerEntry, labelBits } from "./ledger.ts";
import { agentWords } from "./redact.ts";

const entry = (changes: Partial<LedgerEntry>): LedgerEntry => ({
  at: "2026-01-01T00:00:00.000Z",
  caller: "loop",
  oracle: "o",
  model: "m",
  prompt: "p",
  run: "r",
  patch: "x",
  label: "overfit",
  bits: 1,
  ...changes,
});

describe("the default query budget", () => {
  test.each([
    [0.66, 1],
    [0.9, 1],
    [0.98, 6],
    [0.995, 25],
    [1, 100],
    [0, 1],
  ])("of an oracle of strength %f is %i labels", (strength, labels) => {
    expect(defaultQueryBudget(strength)).toBe(labels);
  });

  test("of an oracle that was never measured is that of 98 percent", () => {
    expect(defaultQueryBudget(null)).toBe(6);
  });
});

test("labels are counted by oracle, and by run within it; rejected patches are no questions", () => {
  const entries = [
    entry({}),
    entry({ run: "other" }),
    entry({ oracle: "other" }),
    entry({ label: "rejected", bits: 0 }),
    entry({ label: "build failed", bits: 0 }),
  ];
  expect(countLabels(entries, "o", "r")).toEqual({ run: 2, all: 3 });
});

test("only overfit and pass tell of the hidden layer, a bit each", () => {
  expect(agentWords.map((word) => [word, labelBits(word)])).toEqual([
    ["rejected", 0],
    ["build failed", 0],
    ["visible failed", 0],
    ["overfit", 1],
    ["pass", 1],
  ]);
});
