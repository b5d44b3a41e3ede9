/** What the caller's shell left open reaches no sandbox: a descriptor of a folder leads past every wall. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("inherited");
const task = copyTask(inRepository("test/fixtures/reports/task"), folder);
const opened = 'exec 200<"$1" 201<"$2"; shift 2; exec "$@"';
const under = ["bash", "-c", opened, "bash", join(task, "oracles/hidden.cpp"), join(task, "oracles")];

test("an agent finds neither a file nor a folder that the caller had open", async () => {
  const run = join(folder, "run");
  mkdirSync(run);
  const look =
    "ls /proc/self/fd; cat /proc/self/fd/200; cat /proc/self/fd/201/hidden.cpp; ls /proc/self/fd/201/";
  const args = ["loop", "--agent", look, "--attempts", "1", "--run", run, "--task", task];
  const { code, stderr } = await runCli(args, { folder, under });
  expect(code, stderr).toBe(5);
  const [line = "{}"] = readFileSync(join(run, "attempts.jsonl"), "utf8").split("\n");
  const { answer } = JSON.parse(line) as { answer: string };
  expect(answer).toContain("0\n1\n2\n");
  expect(answer).not.toMatch(/^20[01]$/m);
  expect(answer).not.toContain("turn_over");
});

test("a grade works the same, whatever is open", async () => {
  const patch = join(task, "patches/good.diff");
  const { code, stdout } = await runCli(["grade", patch, "--task", task], { folder, under });
  expect([code, stdout]).toEqual([0, "PASS\n"]);
});
