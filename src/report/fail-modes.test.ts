import { expect, test } from "vitest";
import type { GradeRecord } from "../model/record.ts";
import { failModeTable, summaryOf, Tally } from "./fail-modes.ts";
import { paintWith } from "./paint.ts";

test("rows are layers and token, with counts and causes, and what was not graded has a row of its own", () => {
  const tally = new Tally();
  tally.add({ verdict: "OVERFIT", visible: "pass", hidden: "asan" });
  tally.add({ verdict: null, why: "exit 75: no space left" });
  tally.add({ verdict: "OVERFIT", visible: "pass", hidden: "assertion" });
  tally.add({ verdict: "OVERFIT", visible: "pass", hidden: "assertion" });
  tally.add({ verdict: "PASS", visible: "pass", hidden: "pass" });
  tally.add({ verdict: "FAIL_BOTH", visible: "compile-error", hidden: "compile-error" });
  tally.add({ verdict: "REJECTED", why: "out-of-scope" });
  expect(`\n${failModeTable(tally, paintWith(false)).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    visible  hidden  token       patches  causes
    pass     pass    PASS              1
    pass     fail    OVERFIT           3  hidden assertion ×2, hidden asan ×1
    fail     fail    FAIL_BOTH         1  visible compile-error ×1, hidden compile-error ×1
    -        -       REJECTED          1  out-of-scope ×1
    -        -       not graded        1  exit 75: no space left ×1
    6 of 7 graded · 1 not graded
    "
  `);
});

test("nothing graded is said as such", () => {
  expect(failModeTable(new Tally(), paintWith(false)).at(-1)).toBe("0 of 0 graded");
});

test("why there is no verdict is told without places and values, so that it can be counted", () => {
  const record = {
    verdict: null,
    layers: {},
    error: { exit: 66, message: "r.jsonl:4:1: no such patch · x" },
  };
  expect(summaryOf(record as unknown as GradeRecord).why).toBe("exit 66: no such patch");
});
