/** The declaration of `leaks`. */
import { type Command, Option } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption } from "./options.ts";
import type { Run } from "./run.ts";

/** Adds the command to the program. */
export function addLeaks(program: Command, run: Run, go: Go): void {
  program
    .command("leaks")
    .summary("has the oracle reached a text: prompt, transcript, patch, repository?")
    .description(
      "Looks for the hidden tests, or what makes them distinctive, in texts; without texts in what the task itself shows.",
    )
    .argument("[FILE...]", "files, folders, .json and .jsonl transcripts, or - for standard input")
    .addOption(
      new Option(
        "-t, --task [DIR]",
        "the task whose oracle is looked for (default: the nearest manifest.json upward)",
      ),
    )
    .option("--fingerprints <FILE>", "look by an export, without a task")
    .option("--export <FILE>", "write the oracle's fingerprints, or print them with -")
    .option("--git [RANGE]", "look through the history of the repository around the working folder")
    .option("-x, --exclude <GLOB...>", "leave out paths, as they are printed")
    .addOption(identityOption())
    .option("--json", "print the findings as JSON")
    .addHelpText("after", help)
    .action((files: string[], flags) =>
      go(import("./leaks.ts").then(({ leaksCommand }) => leaksCommand(files, flags, run))),
    );
}

const help = `
"certain" and "likely" exit with 6, "possible" alone is a warning. A paraphrase in other words is not found.
--exclude takes what follows it up to the next option; put files before it, or after --.

Examples:
  hidden-oracle leaks --task tasks/queue
  hidden-oracle leaks prompts/ runs/transcript.jsonl
  model-output | hidden-oracle leaks -
  hidden-oracle leaks --git main..HEAD
  hidden-oracle leaks --export queue.fingerprints.json
  hidden-oracle leaks --fingerprints queue.fingerprints.json outbox/
${faultHelp([
  [0, "no leak, or none that is more than possible"],
  [6, "the oracle, or a part of it, is in a text"],
])}`;
