/** `grade --git RANGE` grades what a range of commits changes in the task. */
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("git-range");
const task = copyTask(inRepository("test/fixtures/reports/task"), folder);

chmodSync(task, 0o755);

function git(...args: string[]): void {
  const who = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, ...args], { cwd: task, env: { PATH: process.env.PATH, HOME: folder } });
}

git("init", "--quiet", "--initial-branch=main");
git("add", ".");
git("commit", "--quiet", "--message=broken");
git("checkout", "--quiet", "-b", "fix");
git("apply", join(task, "patches/good.diff"));
git("commit", "--quiet", "--all", "--message=mended");

const grade = (range: string, ...flags: string[]) =>
  runCli(["grade", "--git", range, "--task", task, ...flags], { folder });

test("a range is graded against the sources that it begins with", async () => {
  git("checkout", "--quiet", "main");
  const { code, stdout } = await grade("main..fix");
  expect([code, stdout]).toEqual([0, "PASS\n"]);
});

test("where its end is checked out there is no word of the patch, but 65 and what to do", async () => {
  git("checkout", "--quiet", "fix");
  for (const flags of [[], ["--audience", "agent"]]) {
    const { code, stdout, stderr } = await grade("main..HEAD", ...flags);
    expect([code, stdout]).toEqual([65, ""]);
    if (flags.length === 0)
      expect(stderr).toMatch(/main\.\.HEAD begins with[\s\S]*check out the first commit/);
  }
  const { stdout } = await grade("main..HEAD", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ verdict: null, error: { exit: 65 } });
});

test("a repository that is closed to the sandbox's user is 66 and says so", async () => {
  chmodSync(task, 0o700);
  const { code, stderr } = await grade("main..fix");
  chmodSync(task, 0o755);
  // Started by another user than root, git runs as that user, who may read it.
  if (process.getuid?.() !== 0) expect(code).not.toBe(66);
  else expect([code, stderr]).toEqual([66, expect.stringContaining("let others read the repository")]);
});

test("a range that git does not know is 66", async () => {
  const { code, stdout, stderr } = await grade("main..nowhere");
  expect([code, stdout]).toEqual([66, ""]);
  expect(stderr).toContain("nowhere");
});
