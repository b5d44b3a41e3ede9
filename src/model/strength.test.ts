import { expect, test } from "vitest";
import { type MutantFate, percent, queryBudgetFor, scoreOf } from "./strength.ts";

const many = (count: number, fate: MutantFate) => Array.from({ length: count }, () => fate);
const killedBy = (by: "visible" | "hidden"): MutantFate => ({ status: "killed", by, cause: "assertion" });

test("strength is what the hidden layer kills of what passes the visible one", () => {
  const score = scoreOf([
    ...many(10, killedBy("visible")),
    ...many(6, killedBy("hidden")),
    ...many(2, { status: "survived" }),
    ...many(3, { status: "equivalent" }),
    ...many(1, { status: "waived", category: "infeasible", reason: "8 GiB" }),
    ...many(1, { status: "does-not-compile" }),
  ]);
  expect(score).toMatchObject({ universe: 8, killed: 6, survived: 2, strength: 0.75 });
  expect(score.common).toBeCloseTo(16 / 18);
});

test("of no mutants that count, no strength follows", () => {
  expect(scoreOf(many(5, killedBy("visible")))).toMatchObject({ universe: 0, strength: null, common: null });
});

test("what is not all never reads as a hundred percent", () => {
  expect([percent(0.99996), percent(1), percent(0.947)]).toEqual(["99.9", "100.0", "94.7"]);
});

test("a loop may learn less of a weaker oracle, and something of the weakest", () => {
  expect([queryBudgetFor(0.98), queryBudgetFor(0.9), queryBudgetFor(0)]).toEqual([6, 1, 1]);
  expect(queryBudgetFor(1)).toBe(Number.POSITIVE_INFINITY);
});
