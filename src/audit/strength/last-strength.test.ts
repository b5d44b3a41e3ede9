import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Cache } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import { type StrengthReport, scoreOf } from "../../model/strength.ts";
import { recallStrength, rememberStrength } from "./last-strength.ts";

const folder = mkdtempSync(join(tmpdir(), "test-last-strength-"));
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cache = new Cache(folder);
const contextOf = (task: string, compiler: string) =>
  ({ task: { digest: task }, toolchain: { digest: compiler }, cache }) as unknown as GradeContext;

test("a strength is known for the task and the compiler that it was measured of, and for no other", () => {
  const score = scoreOf([{ status: "survived" }]);
  rememberStrength(contextOf("t", "c"), { score } as StrengthReport);
  expect(recallStrength(contextOf("t", "c"))).toEqual(score);
  expect(recallStrength(contextOf("t2", "c"))).toBeUndefined();
  expect(recallStrength(contextOf("t", "c2"))).toBeUndefined();
});
