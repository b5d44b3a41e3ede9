import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import type { GradeRecord } from "../model/record.ts";
import { OutFile, recordKey, resumeFrom } from "./batch-out.ts";
import { ungradedRecord } from "./ungraded.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "batch-out-"));
  file = join(folder, "records.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const ungraded = (id: string) => ungradedRecord(new GraderError(75, "no space"), { id });
const graded = (id: string): GradeRecord => {
  const { error: _error, ...record } = ungraded(id);
  return { ...record, verdict: "PASS" };
};
function write(...records: readonly GradeRecord[]): void {
  const out = new OutFile(file);
  for (const record of records) out.append(record);
  out[Symbol.dispose]();
}
const ids = () =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);

test("records are appended to what is there", () => {
  write(graded("a"));
  write(graded("b"));
  expect(ids()).toEqual(["a", "b"]);
});

test("a torn last line is refused, and taken away by resuming", async () => {
  write(graded("a"), graded("b"));
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -9));
  expect(() => new OutFile(file)).toThrow("torn");
  expect([...(await resumeFrom(file)).keys()]).toEqual([recordKey("a", "", "")]);
  write(graded("b"));
  expect(ids()).toEqual(["a", "b"]);
});

test("resuming tries again what has no verdict, and keeps lines of others", async () => {
  write(graded("a"), ungraded("b"));
  writeFileSync(file, `${readFileSync(file, "utf8")}{"id":"not ours"}\n`);
  expect([...(await resumeFrom(file)).keys()]).toEqual([recordKey("a", "", "")]);
  expect(ids()).toEqual(["a", "not ours"]);
});

test("there is nothing to resume where there is no file", async () => {
  expect((await resumeFrom(file)).size).toBe(0);
});

test("a file that can't be written is told before anything is graded", () => {
  expect(() => new OutFile(join(folder, "no", "such"))).toThrow("can't be written");
});
