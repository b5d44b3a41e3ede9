/** Ctrl-C and a request to end, in the middle of a grade: the exit code of the signal, and nothing left. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { type RunningCli, runCli, startCli } from "../support/cli.ts";
import { corpusTask } from "../support/corpus.ts";
import { leftBehind, processesOf } from "../support/left-behind.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("interrupted");

/** Waits until a process whose name matches belongs to the run. */
async function untilRunning({ child, temporary }: RunningCli, name: RegExp): Promise<void> {
  while (!processesOf({ pid: child.pid ?? 0, temporary }).some((process) => name.test(process))) {
    if (child.exitCode !== null) expect.fail(`ended too early, exit ${child.exitCode}`);
    await sleep(10);
  }
}

// So that what is built once per machine is there, and the first compiler seen is the candidate's.
beforeAll(() => runCli(["grade", "--baseline", "--task", corpusTask], { folder }));

describe.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s", (signal, code) => {
  test.each([
    ["compiler", "template-bomb", / cc1plus$/],
    ["candidate", "endless-loop", / launcher$/],
  ])(
    `ends a grade while a %s runs, with exit code ${code}, no word and nothing left`,
    async (_what, name, process) => {
      const patch = inRepository(`test/corpus/REJECTED/${name}/patch.diff`);
      expect(existsSync(patch)).toBe(true);
      const running = startCli(["grade", patch, "--task", corpusTask, "--no-cache"], { folder });
      await untilRunning(running, process);
      running.child.kill(signal);
      const run = await running.ended;
      expect({ code: run.code, stdout: run.stdout }, run.stderr).toEqual({ code, stdout: "" });
      expect(await leftBehind(run)).toEqual({ processes: [], files: [] });
    },
  );
});

test("a cache that an interrupted grade was filling is of use to the next one", async () => {
  const fresh = { folder, env: { HIDDEN_ORACLE_CACHE: join(folder, "fresh-cache") } };
  const args = ["grade", inRepository("test/corpus/PASS/modulo/patch.diff"), "--task", corpusTask];
  const running = startCli(args, fresh);
  await untilRunning(running, / cc1(plus)?$/);
  running.child.kill("SIGTERM");
  await running.ended;
  expect((await runCli(args, fresh)).stdout).toBe("PASS\n");
});
