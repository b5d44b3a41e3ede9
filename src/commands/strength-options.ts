/** `strength` on the command line: flags and help. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, jobsOption, taskOption } from "./options.ts";
import type { Run } from "./run.ts";

/** Adds the command. */
export function addStrength(program: Command, run: Run, go: Go): void {
  program
    .command("strength")
    .summary("how much of what could go wrong the oracle sees")
    .description(
      "Plants faults in the task's reference, one at a time, and tells which of those that pass the visible tests the oracle misses.",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .addOption(
      new Option("--min <PERCENT>", "fail when fewer than so many of 100 are caught").argParser(percentage),
    )
    .option("--json", "print a report after mutation-testing-report-schema")
    .option("--html <FILE>", "write the report as one page as well")
    .addOption(
      new Option(
        "--limit <N>",
        "plant no more than so many faults, the most telling first; no horizons then",
      ).argParser(count),
    )
    .option("--no-cache", "judge anew what was judged before")
    .addOption(jobsOption())
    .addHelpText("after", strengthHelp)
    .action((flags) =>
      go(import("./strength.ts").then(({ strengthCommand }) => strengthCommand(flags, run))),
    );
}

/** A percentage; 99.5 is one. @throws InvalidArgumentError */
function percentage(text: string): number {
  const number = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && number <= 100) return number;
  throw new InvalidArgumentError("It must be a number from 0 to 100.");
}

/** @throws InvalidArgumentError */
function count(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 1_000_000) return number;
  throw new InvalidArgumentError("It must be a whole number from 1 to 1000000.");
}

const strengthHelp = `
Answers are kept: a second run judges only what is new, and an interrupted one goes on where it was.

Examples:
  hidden-oracle strength --task tasks/queue
  hidden-oracle strength --min 90 --html strength.html
  hidden-oracle strength --json | jq .strength.score
${faultHelp([
  [0, "measured; with --min, enough is caught"],
  [6, "a correct patch fails, a waiver is stale, nothing could be measured, or --min is not reached"],
  [130, "interrupted; what was judged so far is kept"],
])}`;
