/** Targets under ThreadSanitizer: a race is a failure, right locking is none, and calibration sees that races are seen. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { gradeWithRecord } from "../support/graded.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("threads");
const task = inRepository("test/fixtures/threads");
const graded = (patch: string) => gradeWithRecord({ folder, task, patch: join(task, "patches", patch) });

test("a race that gives the right sum is told by the sanitizer of threads", async () => {
  const { record } = await graded("racy.diff");
  expect(record.verdict).toBe("OVERFIT");
  expect(record.layers.hidden).toMatchObject({ status: "fail", cause: "tsan" });
});

test("a lock makes it right", async () => {
  expect((await graded("locked.diff")).record.verdict).toBe("PASS");
});

test("a task without a thread passes under that sanitizer too", async () => {
  const reports = inRepository("test/fixtures/reports/task");
  const threads = copyTask(reports, folder, { cxxflags: ["-std=c++17", "-fsanitize=thread"] });
  const { record } = await gradeWithRecord({
    folder,
    task: threads,
    patch: join(threads, "patches/good.diff"),
  });
  expect(record.verdict).toBe("PASS");
});

test("calibration runs a race of its own where threads are watched", async () => {
  const copy = copyTask(task, folder);
  const { code, stdout } = await runCli(["calibrate", "--task", copy, "--json"], { folder });
  expect([code, JSON.parse(stdout).findings]).toEqual([0, []]);
});
