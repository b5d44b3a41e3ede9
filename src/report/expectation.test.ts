import { expect, test } from "vitest";
import { expectationTable } from "./expectation.ts";
import { paintWith } from "./paint.ts";

test("marks what differs, lacks an expectation or was not graded", () => {
  const rows = [
    { patch: "task/patches/good.diff", expected: "PASS", actual: "PASS" },
    { patch: "task/patches/mask.diff", expected: "OVERFIT", actual: "PASS", why: "odd" },
    { patch: "task/patches/new.diff", expected: undefined, actual: "PASS" },
    { patch: "task/patches/slow.diff", expected: "PASS", actual: null, why: "exit 75" },
  ] as const;
  expect(`\n${expectationTable(rows, paintWith(false)).join("\n")}\n`).toMatchInlineSnapshot(`
    "
       patch      expected    actual
    ✓  good.diff  PASS        PASS
    ✗  mask.diff  OVERFIT     PASS        odd
    ✗  new.diff   none given  PASS
    ✗  slow.diff  PASS        not graded  exit 75
    1 of 4 as expected
    "
  `);
});
