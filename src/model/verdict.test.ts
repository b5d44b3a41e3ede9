import { expect, test } from "vitest";
import type { LayerOutcome } from "./outcome.ts";
import { exitOf, tokenOf, tokens } from "./verdict.ts";

const measured = { durationMs: 1, cpuMs: 1 };
const pass: LayerOutcome = { status: "pass", ...measured };
const fail: LayerOutcome = { status: "fail", cause: "assertion", detail: "", ...measured };
const error: LayerOutcome = { status: "error", cause: "starved", detail: "", ...measured };

test("two judged layers make one token", () => {
  expect(tokenOf(fail, fail)).toBe("FAIL_BOTH");
  expect(tokenOf(fail, pass)).toBe("FAIL_VISIBLE");
  expect(tokenOf(pass, fail)).toBe("OVERFIT");
  expect(tokenOf(pass, pass)).toBe("PASS");
});

test("a layer that was not judged makes none, whatever the other one says", () => {
  for (const other of [pass, fail, error]) {
    expect(tokenOf(error, other)).toBeNull();
    expect(tokenOf(other, error)).toBeNull();
  }
});

test("every token has an exit status of its own, and none is 1", () => {
  expect(tokens.map((token) => exitOf[token])).toEqual([0, 4, 3, 2, 5]);
});
