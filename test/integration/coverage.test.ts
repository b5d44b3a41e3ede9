/** The review of a PASS: lines that no hidden check ran, the interface, the time. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { gradeWithRecord } from "../support/graded.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("coverage");
const task = inRepository("examples/bounded-queue");
const headerPath = "include/bounded_queue.hpp";
const unitPath = "src/bounded_queue.cpp";
const textOf = (path: string) => readFileSync(join(task, path), "utf8");
const unit = textOf(unitPath)
  .replace(
    "std::uint32_t slot(std::uint32_t index, std::uint32_t cap) { return index & (cap - 1); }",
    "std::size_t slot(std::size_t index, std::size_t cap) { return index % cap; }",
  )
  .replace("if (--count_ == 0) head_ = 0; // drained: start over at the front", "--count_;");

/** A right fix with something added. */
function patchOf(newUnit: string, newHeader = textOf(headerPath)): string {
  const files: [string, string][] = [
    [unitPath, newUnit],
    [headerPath, newHeader],
  ];
  return files
    .filter(([path, text]) => text !== textOf(path))
    .map(([path, text]) => createTwoFilesPatch(`a/${path}`, `b/${path}`, textOf(path), text))
    .join("");
}

const review = async (patch: string) => {
  const { record } = await gradeWithRecord({ folder, task, patch: "-", stdin: patch, flags: ["--coverage"] });
  return record;
};

test("a changed line that no hidden check executes is named, and no other", async () => {
  const dead = "    if (value == 123456789) {\n        return false;\n    }\n";
  const text = unit.replace("    if (count_ == cap_) return false;\n", (line) => line + dead);
  const missed = text.split("\n").indexOf("        return false;") + 1;
  const record = await review(patchOf(text));
  expect(record.verdict).toBe("PASS");
  expect(record.review?.coverage.missed).toEqual([{ file: unitPath, line: missed }]);
  expect(record.review?.coverage.changed).toBeGreaterThan(2);
});

test("a public function that a patch adds to a header is an effect on the interface, a private member is none", async () => {
  const header = textOf(headerPath).replace(
    "private:",
    "  std::size_t room() const { return cap_ - count_; }\n\nprivate:\n  int spare_ = 0;\n",
  );
  const record = await review(patchOf(unit, header));
  expect(record.review?.interface).toEqual({
    added: ["std::size_t BoundedQueue::room() const"],
    removed: [],
  });
  expect(record.review?.coverage.missed.map(({ file }) => file)).toEqual([headerPath]);
});

test("CPU times are held against the reference's", async () => {
  const record = await review(patchOf(unit));
  expect(record.review?.cpu.against).toBe("patches/modulo-64-bit.diff");
  expect(Object.keys(record.review?.cpu.layers ?? {})).toEqual(["visible", "hidden"]);
  expect(record.review?.cpu.layers.hidden?.modelMs).toBeGreaterThan(0);
});

test("a patch that does not pass has no review, and an agent may not ask for one", async () => {
  const bad = join(task, "patches/keeps-power-of-two-mask.diff");
  const { record } = await gradeWithRecord({ folder, task, patch: bad, flags: ["--coverage"] });
  expect([record.verdict, record.review]).toEqual(["OVERFIT", undefined]);
  const asked = await runCli(["grade", bad, "--task", task, "--coverage", "--audience", "agent"], { folder });
  expect([asked.code, asked.stdout]).toEqual([64, ""]);
});
