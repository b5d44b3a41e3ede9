import { expect, test } from "vitest";
import type { Task } from "../model/task.ts";
import { smallBudgetWarning } from "./loop-run.ts";

const taskOf = (queryBudget?: number) => ({ manifest: { queryBudget } }) as Task;

test("a budget of one label that the task did not ask for comes with how to raise it", () => {
  expect(smallBudgetWarning(taskOf(), 1).join("\n")).toMatch(/strength[\s\S]*queryBudget/);
  expect(smallBudgetWarning(taskOf(1), 1)).toEqual([]);
  expect(smallBudgetWarning(taskOf(), 2)).toEqual([]);
});
