/** What a user does wrong, and what a machine lacks: an exit code, a message, a hint, and no token. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";
import { corpusTask } from "../support/corpus.ts";
import { gradeWithRecord } from "../support/graded.ts";
import { leftBehind } from "../support/left-behind.ts";
import { peakMemoryMiB } from "../support/peak-memory.ts";
import { pathWith } from "../support/program-path.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("bad-input");
const goodPatch = inRepository("test/corpus/PASS/modulo/patch.diff");
const isRoot = process.getuid?.() === 0;

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function grade(patch: string, task: string, ...flags: string[]): Promise<CliResult> {
  return runCli(["grade", patch, "--task", task, ...flags], { folder });
}

/** A fault: its exit code, nothing on stdout, and something to do about it on stderr. */
function expectFault(run: CliResult, exit: number, message: RegExp): void {
  expect({ code: run.code, stdout: run.stdout, stderr: run.stderr }).toEqual({
    code: exit,
    stdout: "",
    stderr: expect.stringMatching(message),
  });
  expect(run.stderr).toMatch(/hint: \S/);
}

/** The same with `--json`: the record says that there is no verdict, and why. */
function expectRecordedFault(run: CliResult, exit: number, message: RegExp): void {
  expect(run.code, run.stderr).toBe(exit);
  expect(JSON.parse(run.stdout)).toMatchObject({
    verdict: null,
    error: { exit, message: expect.stringMatching(message), hint: expect.any(String) },
  });
}

describe("a graded patch", () => {
  const swapped = copyTask(corpusTask, folder, {
    visible: "oracles/hidden.cpp",
    hidden: "tests/visible.cpp",
  });
  test.each([
    ["PASS", 0, corpusTask, "PASS/modulo"],
    ["FAIL_BOTH", 2, corpusTask, "FAIL_BOTH/size-off-by-one"],
    ["FAIL_VISIBLE", 3, swapped, "OVERFIT/mask-kept"],
    ["OVERFIT", 4, corpusTask, "OVERFIT/mask-kept"],
    ["REJECTED", 5, corpusTask, "REJECTED/edits-the-oracle"],
  ])("brings %s and a newline on stdout, and exit code %i", async (token, code, task, name) => {
    const run = await grade(inRepository(`test/corpus/${name}/patch.diff`), task);
    expect([run.stdout, run.code]).toEqual([`${token}\n`, code]);
  });

  test("may come on standard input", async () => {
    const stdin = "nothing that could be a diff\n";
    const run = await runCli(["grade", "-", "--task", corpusTask], { folder, stdin });
    expect([run.stdout, run.code]).toEqual(["REJECTED\n", 5]);
  });
});

describe("a patch that can't be read", () => {
  test("is 66 when it is missing", async () => {
    expectFault(await grade(join(folder, "missing.diff"), corpusTask), 66, /missing\.diff/);
  });

  test("is 66 when it is missing, with --json as well: nothing was graded", async () => {
    expectFault(await grade(join(folder, "missing.diff"), corpusTask, "--json"), 66, /missing\.diff/);
  });

  test("is 66 when it is a folder", async () => {
    expectFault(await grade(folder, corpusTask), 66, /folder/);
  });

  test.skipIf(isRoot)("is 66 when it may not be read (root may read everything)", async () => {
    const closed = file("closed.diff", "");
    spawnSync("chmod", ["000", closed]);
    expectFault(await grade(closed, corpusTask), 66, /closed\.diff/);
  });
});

describe("a patch that can't be judged", () => {
  test.each([
    ["is empty", "empty.diff", "", "no-change"],
    ["has nothing but blank lines", "blank.diff", "\n\n", "no-change"],
    ["is binary", "binary.diff", Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256), "malformed"],
    ["is prose", "prose.diff", "The queue should use a modulo instead of a mask.\n", "malformed"],
  ])("is REJECTED when it %s", async (_what, name, content, reason) => {
    const { run, record } = await gradeWithRecord({ folder, task: corpusTask, patch: file(name, content) });
    expect([record.verdict, record.reason, run.code]).toEqual(["REJECTED", reason, 5]);
  });

  test("is REJECTED when it changes nothing", async () => {
    const same =
      "--- a/src/bounded_queue.cpp\n+++ b/src/bounded_queue.cpp\n@@ -4,1 +4,1 @@\n-  count_++;\n+  count_++;\n";
    const { record } = await gradeWithRecord({ folder, task: corpusTask, patch: file("same.diff", same) });
    expect([record.verdict, record.reason]).toEqual(["REJECTED", "no-change"]);
  });

  test("is REJECTED when it is 100 MB long, and never held in memory", async () => {
    const huge = file("huge.diff", "");
    truncateSync(huge, 100 * 1024 * 1024);
    const { result, peak } = await peakMemoryMiB(["grade", huge, "--task", corpusTask, "--json"], { folder });
    expect(JSON.parse(result.stdout)).toMatchObject({ verdict: "REJECTED", reason: "malformed" });
    expect(peak).toBeLessThan(150);
  });
});

describe("a task that is at fault", () => {
  const typo = copyTask(corpusTask, folder, { hiden: "oracles/hidden.cpp" });
  const neither = copyTask(corpusTask, folder, { id: "neither" });
  writeFileSync(join(neither, "oracles/hidden.cpp"), '#include "no_such_header.hpp"\nint main() {}\n');
  const unnamed = copyTask(corpusTask, folder, { hidden: "oracles/absent.cpp" });
  const broken = copyTask(corpusTask, folder);
  writeFileSync(join(broken, "manifest.json"), '{ "id": "x", \n  "sources": [ }');

  test("is 65 for an unknown key, which is named with its line and the nearest known key", async () => {
    const run = await grade(goodPatch, typo);
    expectFault(run, 65, /manifest\.json:\d+:\d+.*hiden/);
    expect(run.stderr).toMatch(/\bhidden\b/);
  });

  test.each([
    ["an oracle that builds against nothing", neither, /oracle|hidden/],
    ["a file that isn't there", unnamed, /absent\.cpp/],
    ["a manifest that isn't JSON", broken, /manifest\.json:2:\d+/],
  ])("is 65 for %s", async (_what, task, message) => {
    const run = await grade(goodPatch, task);
    expectFault(run, 65, message);
    expect(await leftBehind(run)).toEqual({ processes: [], files: [] });
  });

  test.each([
    ["an unknown key", typo, /hiden/],
    ["an oracle that builds against nothing", neither, /oracle|hidden/],
  ])("is recorded with --json: %s", async (_what, task, message) => {
    expectRecordedFault(await grade(goodPatch, task, "--json"), 65, message);
  });

  test("is 66 when there is no manifest", async () => {
    const nowhere = join(folder, "nowhere");
    mkdirSync(nowhere);
    expectFault(await grade(goodPatch, nowhere), 66, /manifest/);
  });
});

describe("a machine that lacks something", () => {
  test.each([
    ["a compiler", ["bwrap", "prlimit"], /g\+\+/],
    ["bubblewrap", ["g++", "prlimit"], /bubblewrap/],
  ])("is 69 without %s", async (_what, programs, message) => {
    const env = { PATH: pathWith(programs, folder) };
    const args = ["grade", goodPatch, "--task", corpusTask];
    expectFault(await runCli(args, { folder, env }), 69, message);
    const run = await runCli([...args, "--json"], { folder, env });
    expectRecordedFault(run, 69, message);
    expect(await leftBehind(run)).toEqual({ processes: [], files: [] });
  });

  describe.skipIf(!isRoot)("a full disk (only root can mount one) is 75", () => {
    const args = ["grade", goodPatch, "--task", corpusTask, "--no-cache"];
    const warm = { HIDDEN_ORACLE_CACHE: join(folder, "cache") };
    const cold = { HIDDEN_ORACLE_CACHE: join(folder, "cold-cache") };
    beforeAll(() => runCli(args, { folder, env: warm }));

    test.each([
      ["with room for nothing", "8k", warm],
      ["with room for the sources but not for an object", "12k", warm],
      ["before anything was ever built here", "64k", cold],
    ])("%s, and nothing is left on it", async (_what, size, cache) => {
      const disk = mkdtempSync(join(folder, "disk-"));
      command("mount", "-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", disk);
      try {
        const options = { folder, env: { ...cache, TMPDIR: disk } };
        expectFault(await runCli(args, options), 75, /space/);
        expectRecordedFault(await runCli([...args, "--json"], options), 75, /space/);
        expect(readdirSync(disk)).toEqual([]);
      } finally {
        command("umount", disk);
      }
    });

    test("under the cache", async () => {
      const disk = mkdtempSync(join(folder, "disk-"));
      command("mount", "-t", "tmpfs", "-o", "size=64k,mode=0755", "tmpfs", disk);
      try {
        expectFault(await runCli(args, { folder, env: { HIDDEN_ORACLE_CACHE: disk } }), 75, /space/);
      } finally {
        command("umount", disk);
      }
    });
  });
});

function command(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

describe("a command line that is wrong", () => {
  test.each([
    ["no command", []],
    ["a command that doesn't exist", ["grad"]],
    ["an option that doesn't exist", ["grade", goodPatch, "--jsno"]],
    ["nothing to grade", ["grade", "--task", corpusTask]],
    ["two things to grade", ["grade", goodPatch, "--baseline", "--task", corpusTask]],
    ["a seed that is no number", ["grade", goodPatch, "--seed", "many", "--task", corpusTask]],
    ["nothing to grade, with --json", ["grade", "--json", "--task", corpusTask]],
  ])("is 64 for %s", async (_what, args) => {
    const run = await runCli(args, { folder });
    expect([run.code, run.stdout], run.stderr).toEqual([64, ""]);
    expect(run.stderr).not.toBe("");
  });
});
