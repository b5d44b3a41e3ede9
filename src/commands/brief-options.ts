/** Declares `brief`. */
import type { Command } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, taskOption } from "./options.ts";

/** Adds `brief` to the program. */
export function addBrief(program: Command, go: Go): void {
  program
    .command("brief")
    .summary("print exactly what a model would be sent")
    .description(
      "Prints what a model would be sent: instructions, prompt, shown tests and sources; nothing else.",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option("--json", "print the list of messages as JSON")
    .addHelpText(
      "after",
      `\nExamples:\n  hidden-oracle brief --task tasks/queue\n  hidden-oracle brief --json | jq -r '.[].role'\n${faultHelp(
        [
          [0, "the brief was printed"],
          [65, "the task is at fault, or its brief or a hint would leak the oracle"],
        ],
      )}`,
    )
    .action((flags) => go(import("./brief.ts").then(({ briefCommand }) => briefCommand(flags))));
}
