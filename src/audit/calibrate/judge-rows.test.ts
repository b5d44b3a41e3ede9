import { expect, test } from "vitest";
import { judgeRows } from "./judge-rows.ts";

const passed = { status: "pass", durationMs: 1, cpuMs: 1 } as const;

test("a patch that comes out otherwise says in which layer it fails, and why", () => {
  const detail = "include/a.hpp:1: b.hpp: No such file or directory";
  const visible = { status: "fail", cause: "compile-error", detail, durationMs: 1, cpuMs: 0 } as const;
  const row = { patch: "fix.diff", expected: "PASS", verdicts: ["FAIL_BOTH", "FAIL_BOTH"] } as const;
  const [found] = judgeRows([{ ...row, layers: { visible, hidden: visible } }]);
  expect(found).toMatchObject({
    kind: "other-verdict",
    about: "fix.diff",
    message: `is FAIL_BOTH, not PASS · visible: compile-error: ${detail}`,
  });
});

test("what the first time came to is no reason for another verdict of a later one", () => {
  const row = { patch: "fix.diff", expected: "PASS", verdicts: ["PASS", "OVERFIT"] } as const;
  const messages = judgeRows([{ ...row, layers: { visible: passed, hidden: passed } }]).map((f) => f.message);
  expect(messages).toContain("is OVERFIT, not PASS");
});
