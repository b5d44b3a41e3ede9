/** `grade --plan` prints what a grade would run. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("plan");
const task = inRepository("examples/bounded-queue");

function plan(patch: string, ...flags: string[]) {
  return runCli(["grade", join(task, "patches", patch), "--task", task, "--plan", ...flags], { folder });
}

test("each command is a line: the candidate, each test and its link, each run", async () => {
  const { code, stdout } = await plan("modulo-64-bit.diff");
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(7);
  expect(lines[0]).toContain(" src/bounded_queue.cpp ");
  expect(lines.filter((line) => / -c - -o \/o\/0\.o$/.test(line))).toHaveLength(2);
  expect(lines.slice(-2)).toEqual(["/b/launcher", "/b/launcher"]);
});

test.each([
  ["modulo-64-bit.diff", "-Og"],
  ["vector-rule-of-zero.diff", "-O0"],
])("under %s the tests are compiled with %s, since the task is calibrated", async (patch, level) => {
  const { stdout } = await plan(patch, "--json");
  const steps = JSON.parse(stdout) as { what: string; argv: string[] }[];
  const tests = steps.filter(({ what }) => what.startsWith("compile a test unit"));
  expect(tests.map(({ argv }) => argv.find((word) => word.startsWith("-O")))).toEqual([level, level]);
});

test("a plain build is planned with the manifest's flags alone", async () => {
  const { stdout } = await plan("modulo-64-bit.diff", "--reference-build");
  expect(stdout).toContain("-fsanitize=address,undefined");
  expect(stdout).not.toContain("-fPIC");
});

test("a patch that is refused has no plan, but the reason and its exit code", async () => {
  const { code, stdout, stderr } = await plan("../prompts/fix_queue.md");
  expect([code, stdout]).toEqual([5, ""]);
  expect(stderr).not.toBe("");
});
