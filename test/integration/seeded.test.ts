/** A seeded oracle draws its cases anew, and a seed repeats a run exactly. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { gradeWithRecord } from "../support/graded.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("seeded");
const corpus = inRepository("test/corpus");
const task = join(corpus, "seeded-task");
const memorised = join(corpus, "OVERFIT/oracle-capacities-only-seeded/patch.diff");
const honest = join(corpus, "PASS/modulo-seeded/patch.diff");

async function record(patch: string, flags: readonly string[] = []) {
  return (await gradeWithRecord({ folder, task, patch, flags })).record;
}

test("cases that were memorised from a fixed oracle are OVERFIT under a seeded one", async () => {
  expect((await record(memorised)).verdict).toBe("OVERFIT");
});

test("an honest patch passes under seeds that nobody chose, and the record names them", async () => {
  const [first, second] = [await record(honest), await record(honest)];
  expect([first.verdict, second.verdict]).toEqual(["PASS", "PASS"]);
  expect(first.environment.seed).not.toBe(second.environment.seed);
  expect(second.cached).toBe(false);
});

test("the seed of a record repeats its run exactly", async () => {
  const drawn = await record(memorised);
  const again = await record(memorised, ["--seed", String(drawn.environment.seed)]);
  expect(again.environment.seed).toBe(drawn.environment.seed);
  expect(again.layers.hidden).toMatchObject({ cause: "assertion" });
  const detail = (outcome: typeof drawn.layers.hidden) => (outcome?.status === "fail" ? outcome.detail : "");
  expect(detail(again.layers.hidden)).toBe(detail(drawn.layers.hidden));
});
