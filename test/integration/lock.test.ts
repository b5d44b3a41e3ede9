/** A lock binds a task: whatever of it changes later is named, and nothing is graded until it is locked anew. */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask, type ManifestChanges } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("lock");
const example = inRepository("test/fixtures/reports/task");
let locked: string;

const lock = (task: string, ...flags: string[]) => runCli(["lock", "--task", task, ...flags], { folder });
const patchOf = (task: string) => join(task, "patches/good.diff");

beforeAll(async () => {
  locked = copyTask(example, folder);
  const { code, stdout } = await lock(locked);
  expect([code, stdout]).toEqual([0, "locked\n"]);
});

/** A copy of the locked task, changed afterwards. */
function drifted(file: string, changes: ManifestChanges = {}): string {
  const task = copyTask(locked, folder, changes);
  if (file !== "") appendFileSync(join(task, file), "\n");
  return task;
}

test("a locked task is graded, and its check holds", async () => {
  const graded = await runCli(["grade", patchOf(locked), "--task", locked], { folder });
  expect([graded.code, graded.stdout]).toEqual([0, "PASS\n"]);
  const checked = await lock(locked, "--check");
  expect([checked.code, checked.stdout, checked.stderr]).toEqual([0, "the lock holds\n", ""]);
});

test.each([
  ["lock", [], "manifest.lock.json is not a regular file"],
  ["seal", [], "not a list of sealed files: it is not a regular file"],
  ["certificate", ["--require-calibrated"], "its certificate is stale: its file is not a regular file"],
])("a pipe in place of the %s ends a grade with 65 at once", async (what, flags, message) => {
  const task = copyTask(locked, folder);
  const file = join(task, `manifest.${what}.json`);
  rmSync(file, { force: true });
  execFileSync("mkfifo", [file]);
  const { code, stdout, stderr } = await runCli(["grade", patchOf(task), "--task", task, ...flags], {
    folder,
  });
  expect([code, stdout, stderr]).toEqual([65, "", expect.stringContaining(message)]);
});

test("pipes that nobody writes to are waited for neither as recipients nor as rows of a batch", async () => {
  const pipe = join(folder, "nobody.jsonl");
  execFileSync("mkfifo", [pipe]);
  const sealed = await runCli(["seal", "--task", locked, "--recipients-file", pipe], { folder });
  expect([sealed.code, sealed.stderr]).toEqual([64, expect.stringContaining("sealed for nobody")]);
  const batch = await runCli(["batch", pipe, "--task", locked], { folder });
  expect([batch.code, batch.stderr]).toEqual([66, expect.stringContaining("no regular file")]);
});

test("a check says that the certificate is missing or is another task's, and the lock holds all the same", async () => {
  const task = copyTask(locked, folder);
  const certificate = join(task, "manifest.certificate.json");
  const read = JSON.parse(readFileSync(certificate, "utf8")) as { task: string };
  writeFileSync(
    certificate,
    JSON.stringify({ ...read, task: read.task.replace(/./, (c) => (c === "0" ? "1" : "0")) }),
  );
  const stale = await lock(task, "--check");
  expect([stale.code, stale.stderr]).toEqual([
    0,
    expect.stringContaining("not calibrated · its certificate is stale"),
  ]);
  rmSync(certificate);
  const missing = await lock(task, "--check");
  expect([missing.code, missing.stderr]).toEqual([0, expect.stringContaining("it has no certificate")]);
});

test.each([
  ["prompts/fix_queue.md", {}, "prompts/fix_queue.md has changed"],
  ["oracles/hidden.cpp", {}, "oracles/hidden.cpp has changed"],
  ["tests/visible.cpp", {}, "tests/visible.cpp has changed"],
  ["src/bounded_queue.cpp", {}, "src/bounded_queue.cpp has changed"],
  ["patches/good.diff", {}, "patches/good.diff has changed"],
  ["", { hidden: "tests/visible.cpp" }, '"hidden" in the manifest has changed'],
  ["", { cxxflags: ["-std=c++20"] }, '"visible" in the manifest has changed'],
  ["", { scope: "drop" }, '"scope" in the manifest has changed'],
  ["", { hints: { OVERFIT: "think again" } }, '"hints" in the manifest has changed'],
] as const)("a change of %s%o is named, and grade and batch refuse with 65", async (file, changes, line) => {
  const task = drifted(file, changes);
  const graded = await runCli(["grade", patchOf(task), "--task", task], { folder });
  expect([graded.code, graded.stdout]).toEqual([65, ""]);
  const checked = await lock(task, "--check");
  expect([checked.code, checked.stdout]).toEqual([6, expect.stringContaining(line)]);
  const batch = await runCli(["batch", patchOf(task), "--task", task], { folder });
  expect([batch.code, batch.stdout]).toEqual([65, ""]);
});

test("a drifted task is shown to nobody: brief, loop and mcp refuse with 65, and no run's folder is left", async () => {
  const [task, run] = [drifted("prompts/fix_queue.md"), join(folder, "drifted-run")];
  const shows = [
    ["brief"],
    ["loop", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--attempts", "1", "--run", run],
    ["mcp"],
  ];
  for (const argv of shows) {
    const { code, stdout, stderr } = await runCli([...argv, "--task", task], { folder });
    expect([argv[0], code, stdout]).toEqual([argv[0], 65, ""]);
    expect(stderr).toContain("the task has drifted from its lock · prompts/fix_queue.md has changed");
    expect(stderr).not.toContain("--resume");
  }
  expect(existsSync(run)).toBe(false);
  const { code } = await runCli(["brief", "--task", locked], { folder });
  expect(code).toBe(0);
});

test("the help of lock names every command that refuses a drifted task", async () => {
  const { stdout } = await runCli(["lock", "--help"], { folder });
  expect(stdout.replace(/\s+/g, " ")).toContain("refused by grade, batch, loop, brief and mcp");
});

test("a helper that only the oracle includes is bound as well", async () => {
  const task = copyTask(example, folder);
  writeFileSync(join(task, "oracles/helper.hpp"), "#pragma once\nconst int rounds = 3;\n");
  const oracle = join(task, "oracles/hidden.cpp");
  writeFileSync(oracle, `#include "helper.hpp"\n${readFileSync(oracle, "utf8")}`);
  expect((await lock(task)).code).toBe(0);
  writeFileSync(join(task, "oracles/helper.hpp"), "#pragma once\nconst int rounds = 1;\n");
  const { code, stdout } = await lock(task, "--check");
  expect([code, stdout]).toEqual([
    6,
    expect.stringContaining("oracles/hidden.cpp with what it includes has changed"),
  ]);
});

test("a lock file that is nonsense protects nothing, and is refused", async () => {
  const task = copyTask(locked, folder);
  writeFileSync(join(task, "manifest.lock.json"), "{");
  const { code, stdout } = await runCli(["grade", patchOf(task), "--task", task], { folder });
  expect([code, stdout]).toEqual([65, ""]);
});

test("a task that must be locked is refused without its lock, and graded with it", async () => {
  const task = copyTask(example, folder, { locked: true });
  const without = await runCli(["grade", patchOf(task), "--task", task], { folder });
  expect([without.code, without.stdout, without.stderr]).toEqual([
    65,
    "",
    expect.stringContaining("must be locked"),
  ]);
  expect((await lock(task, "--check")).code).toBe(6);
  expect((await lock(task)).code).toBe(0);
  const withIt = await runCli(["grade", patchOf(task), "--task", task], { folder });
  expect([withIt.code, withIt.stdout]).toEqual([0, "PASS\n"]);
  rmSync(join(task, "manifest.lock.json"));
  expect((await runCli(["grade", patchOf(task), "--task", task], { folder })).code).toBe(65);
});

test("no lock is written while the prompt quotes the oracle", async () => {
  const task = copyTask(example, folder);
  const quoted = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
  appendFileSync(join(task, "prompts/fix_queue.md"), `\nIt must also pass this:\n\n${quoted}\n`);
  const { code, stdout } = await lock(task);
  expect([code, stdout]).toEqual([6, expect.stringContaining("prompts/fix_queue.md:")]);
  expect(existsSync(join(task, "manifest.lock.json"))).toBe(false);
});

test("no lock is written while calibration finds something", async () => {
  const task = copyTask(example, folder, { calibration: {}, reference: "patches/good.diff" });
  const { code, stdout } = await lock(task);
  expect([code, stdout]).toEqual([6, expect.stringContaining("no-overfitting-patch")]);
  expect(existsSync(join(task, "manifest.lock.json"))).toBe(false);
});
