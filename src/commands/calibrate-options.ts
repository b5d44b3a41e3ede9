/** The command line of `calibrate`. */
import type { Command } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, jobsOption, positive, taskOption } from "./options.ts";
import type { Run } from "./run.ts";

export function addCalibrate(program: Command, run: Run, go: Go): void {
  program
    .command("calibrate")
    .summary("prove that the task tells right from wrong: grade what is recorded, several times")
    .description(
      "Grades the baseline and every recorded patch several times, runs small programs that must fail under the task's own flags, and writes a certificate when nothing was found.",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option("--repeat <N>", "how often each patch is graded", positive, 3)
    .option("--no-certificate", "look only: write no certificate, and take none away")
    .option("--json", "print rows and findings as JSON")
    .addOption(jobsOption())
    .addHelpText(
      "after",
      `\nExamples:\n  hidden-oracle calibrate --task tasks/queue\n  hidden-oracle calibrate --repeat 10 --json | jq .findings\n${faultHelp(
        [
          [0, "nothing was found; the certificate is beside the manifest"],
          [6, "something was found: the mends are named"],
        ],
      )}`,
    )
    .action((flags) =>
      go(import("./calibrate.ts").then(({ calibrateCommand }) => calibrateCommand(flags, run))),
    );
}
