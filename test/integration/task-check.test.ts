/** A task that fails by itself is the task's fault, and a forged proof has not the reference's checks. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { gradeWithRecord } from "../support/graded.ts";
import { hygieneOff } from "../support/hygiene-off.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("task-check");
const example = inRepository("examples/bounded-queue");
const reports = inRepository("test/fixtures/reports/task");
const corpus = inRepository("test/corpus");

async function exitOf(task: string, patch: string): Promise<[number | null, string, string]> {
  const { code, stdout, stderr } = await runCli(["grade", patch, "--task", task], { folder });
  return [code, stdout, stderr];
}

test.each([
  ["asks for a function that nobody has", "int other(int);\nint main() { return other(3); }\n"],
  ["asserts what is false", "#include <cassert>\nint main() { assert(1 == 2); }\n"],
  ["leaves by exit", "#include <cstdlib>\nint main() { std::exit(0); }\n"],
])("an oracle that %s, for the reference too, is 65 and no token", async (_what, oracle) => {
  const task = copyTask(example, folder);
  writeFileSync(join(task, "oracles/hidden.cpp"), oracle);
  const [code, stdout, stderr] = await exitOf(task, join(task, "patches/keeps-power-of-two-mask.diff"));
  expect([code, stdout]).toEqual([65, ""]);
  expect(stderr).toMatch(/the task fails by itself.*modulo-64-bit\.diff fails hidden/);
});

test("flags that compile nothing are 65", async () => {
  const task = copyTask(reports, folder, { cxxflags: ["-std=c++17", "-fno-such-flag"] });
  const [code, stdout] = await exitOf(task, join(task, "patches/good.diff"));
  expect([code, stdout]).toEqual([65, ""]);
});

test("a task that holds keeps its verdicts", async () => {
  const patch = join(reports, "patches/overfit.diff");
  const [code, stdout] = await exitOf(reports, patch);
  expect([code, stdout]).toEqual([4, "OVERFIT\n"]);
});

test("a proof forged from the launcher's memory has not the reference's checks", async () => {
  const recorded = { reference: "a.diff", alternatives: ["b.diff"] };
  const task = copyTask(join(corpus, "task"), folder, { ...recorded, ...hygieneOff });
  cpSync(join(corpus, "PASS/modulo/patch.diff"), join(task, "a.diff"));
  cpSync(join(corpus, "PASS/wrapped-indices/patch.diff"), join(task, "b.diff"));
  const patch = join(corpus, "REJECTED/forges-the-record/patch.diff");
  const { record } = await gradeWithRecord({ folder, task, patch });
  expect(record.verdict).toBe("OVERFIT");
  expect(record.layers.hidden).toMatchObject({ cause: "tampering" });
});
