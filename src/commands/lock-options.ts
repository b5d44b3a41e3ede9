/** The command line of `lock`. */
import type { Command } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, jobsOption, taskOption } from "./options.ts";
import type { Run } from "./run.ts";

export function addLock(program: Command, run: Run, go: Go): void {
  program
    .command("lock")
    .summary("bind prompt, sources, tests, oracle and flags by digest")
    .description(
      "Writes manifest.lock.json, once the task is calibrated and its prompt is free of the oracle. A task that differs from its lock is refused by grade, batch, loop, brief and mcp.",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option("--check", "write nothing: say what differs from the lock")
    .option("--json", "print what was found as JSON")
    .addOption(jobsOption())
    .addHelpText(
      "after",
      `\nExamples:\n  hidden-oracle lock --task tasks/queue\n  hidden-oracle lock --check    # in CI\n${faultHelp(
        [
          [0, "the lock was written, or holds"],
          [6, "the calibration or the leak scan found something, or the task differs from its lock"],
        ],
      )}`,
    )
    .action((flags) => go(import("./lock.ts").then(({ lockCommand }) => lockCommand(flags, run))));
}
