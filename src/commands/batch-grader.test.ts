import { expect, test } from "vitest";
import { expectedOf } from "./batch-grader.ts";

const task = {
  root: "/tasks/queue",
  manifest: { calibration: { "patches/mask.diff": "OVERFIT" } },
} as unknown as Parameters<typeof expectedOf>[1];
const file = (path: string) => ({ id: path, content: { kind: "file" as const, path } });

test("a row's own expectation comes first, then the manifest's, then the nearest folder named by a token", () => {
  expect(expectedOf({ ...file("/tasks/queue/patches/mask.diff"), expected: "PASS" }, task)).toBe("PASS");
  expect(expectedOf(file("/tasks/queue/patches/mask.diff"), task)).toBe("OVERFIT");
  expect(expectedOf(file("/corpus/PASS/deep/REJECTED/exit/patch.diff"), task)).toBe("REJECTED");
  expect(expectedOf(file("/corpus/other/patch.diff"), task)).toBeUndefined();
});

test("nothing is expected of a patch that is no file, unless its row says so", () => {
  expect(expectedOf({ id: "PASS", content: { kind: "text", text: "" } }, task)).toBeUndefined();
});
