import { expect, test } from "vitest";
import { alignColumns } from "./table.ts";

test("columns are as wide as their widest cell, and colours have no width", () => {
  const rows = [
    ["a", "1", "x"],
    ["\u001b[31mlong\u001b[39m", "20", ""],
  ];
  expect(alignColumns(rows, ["left", "right"])).toEqual(["a      1  x", "\u001b[31mlong\u001b[39m  20"]);
});

test("no rows make no lines", () => {
  expect(alignColumns([])).toEqual([]);
});
