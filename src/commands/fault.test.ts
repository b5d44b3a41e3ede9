import { expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import { paintWith } from "../report/paint.ts";
import { asFault, faultLines } from "./fault.ts";

const lines = (error: unknown) => faultLines(asFault(error), paintWith(false)).join("\n");

test("a fault with a place begins with it, as editors read it", () => {
  const location = { file: "manifest.json", line: 6, column: 3 };
  expect(lines(new GraderError(65, 'unknown key "cxxflag"', { location, hint: "mend it" }))).toBe(
    'manifest.json:6:3: unknown key "cxxflag"\nhint: mend it',
  );
});

test("a fault without a place begins with the program's name", () => {
  expect(lines(new GraderError(66, "no such patch · x.diff"))).toBe("hidden-oracle: no such patch · x.diff");
});

test("a full disk is a passing fault, whoever met it", () => {
  const fault = asFault(Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", path: "/tmp/x" }));
  expect(fault.exit).toBe(75);
  expect(fault.message).toBe("no space left · /tmp/x");
});

test("anything unknown is our own fault, in one line", () => {
  const fault = asFault(new TypeError("x is not a function\nsecond line"));
  expect(fault.exit).toBe(70);
  expect(fault.message).toBe("internal error · x is not a function");
  expect(asFault(undefined).exit).toBe(70);
});

test("what a terminal obeys is shown and not sent to it", () => {
  const fault = new GraderError(66, "no such task · /a\u001b[31m\u009b", { hint: "see \u0007it" });
  expect(lines(fault)).toBe("hidden-oracle: no such task · /a\\u001b[31m\\u009b\nhint: see \\u0007it");
});
