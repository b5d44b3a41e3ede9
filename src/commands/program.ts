/** The command tree: names, flags and help. What a command does is loaded when it is called. */
import { Command, CommanderError, Option } from "commander";
import { ExitCode } from "../model/errors.ts";
import { version } from "../model/version.ts";
import { addBrief } from "./brief-options.ts";
import { addCalibrate } from "./calibrate-options.ts";
import { faultHelp, verdictHelp } from "./help.ts";
import { addLeaks } from "./leaks-options.ts";
import { addLock } from "./lock-options.ts";
import { addLoop } from "./loop-options.ts";
import { addMcp } from "./mcp-options.ts";
import { type Go, identityOption, jobsOption, seed, taskOption } from "./options.ts";
import type { Run } from "./run.ts";
import { addSeal } from "./seal-options.ts";
import { addStrength } from "./strength-options.ts";
import { paintFor, writeErr } from "./terminal.ts";

/** Runs one command line and gives its exit code. @throws GraderError and whatever a command throws. */
export async function runCommandLine(argv: readonly string[], run: Run): Promise<number> {
  let exit = 0;
  const program = buildProgram(run, async (work) => {
    exit = await work;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.code === "commander.helpDisplayed" || error.code === "commander.version"
      ? 0
      : ExitCode.usage;
  }
}

/** Also what `completion` reads. */
export function buildProgram(run: Run, go: Go): Command {
  const program = new Command("hidden-oracle")
    .description(
      "Tells whether a machine-written C++ patch fixes a bug or only greens the tests it was shown.",
    )
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ outputError: (text) => writeErr(...usageLines(text)) })
    .addHelpText("after", "\nA task is a folder with a manifest.json; `hidden-oracle init DIR` writes one.");
  addGrade(program, run, go);
  addBatch(program, run, go);
  addCalibrate(program, run, go);
  addLoop(program, run, go);
  addBrief(program, go);
  addStrength(program, run, go);
  addMcp(program, run, go);
  addInit(program, go);
  addLock(program, run, go);
  addSeal(program, go);
  addDoctor(program, run, go);
  addSelftest(program, run, go);
  addLeaks(program, run, go);
  addCompletion(program, run, go);
  return program;
}

/** `error: unknown option '--jsno'` with its suggestion, in the form of all our messages. */
function usageLines(text: string): string[] {
  const paint = paintFor(process.stderr);
  const [message = "", suggestion] = text.trim().split("\n");
  const hint = suggestion?.replace(/^\((.*)\)$/, "$1").replace(/^D/, "d") ?? "see hidden-oracle --help";
  return [
    `${paint.red(paint.bold("hidden-oracle:"))} ${message.replace(/^error: /, "")}`,
    `${paint.cyan("hint:")} ${hint}`,
  ];
}

function addGrade(program: Command, run: Run, go: Go): void {
  program
    .command("grade")
    .summary("grade one patch: one word on standard output")
    .description("Grades one patch: exactly one word on standard output, all else on standard error.")
    .argument("[PATCH]", "a unified diff as the model wrote it, or - for standard input")
    .addOption(taskOption())
    .addOption(identityOption())
    .option("--baseline", "grade the sources as they are, without a patch")
    .option("--git <RANGE>", "grade the diff of a range of commits of the task's repository")
    .option("--tree <DIR>", "grade the sources as they lie in another folder")
    .option("--json", "print the record in place of the word, also when there is no verdict")
    .addOption(
      new Option("--audience <WHO>", "agent: one of five words, and nothing that comes from the hidden layer")
        .choices(["maintainer", "agent"])
        .default("maintainer"),
    )
    .option("--coverage", "of a PASS: changed lines that no hidden check ran, effect on interface and time")
    .option("--final", "judge the reserve layer too: for a patch about to be accepted")
    .option("--seed <N>", "the seed of targets that draw their cases", seed)
    .option("--plan", "print the commands that would run, and run nothing of the candidate")
    .option("--keep", "leave the workspace behind and name it")
    .option("--reference-build", "plain executables with the manifest's flags alone, as a cross-check")
    .option("--no-cache", "grade anew what was graded before")
    .option("--require-calibrated", "refuse a task that `calibrate` has not passed as it is")
    .addOption(jobsOption())
    .addHelpText("after", verdictHelp)
    .action((patch: string | undefined, flags) =>
      go(import("./grade.ts").then(({ gradeCommand }) => gradeCommand(patch, flags, run))),
    );
}

function addBatch(program: Command, run: Run, go: Go): void {
  program
    .command("batch")
    .summary("grade many patches: one record a line, and the table of how they fail")
    .description(
      "Grades many patches: one JSON record a line, in the order of the inputs; a table at the end.",
    )
    .argument(
      "<PATH...>",
      "folders, globs, .diff and .patch files, .jsonl files, or - for JSONL on standard input",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option("-o, --out <FILE>", "append the records to a file")
    .option("--resume", "with --out: mend its last line and skip what is in it already")
    .option("--expect", "hold the verdicts against the expected ones")
    .option("--table", "print the table on standard output, and no records there")
    .option("--json", "records on standard output even where the table alone would be shown")
    .option("--reference-build", "plain executables with the manifest's flags alone, as a cross-check")
    .option("--no-cache", "grade anew what was graded before")
    .option("--require-calibrated", "refuse a task that `calibrate` has not passed as it is")
    .addOption(jobsOption())
    .addHelpText("after", batchHelp)
    .action((paths: string[], flags) =>
      go(import("./batch.ts").then(({ batchCommand }) => batchCommand(paths, flags, run))),
    );
}

const batchHelp = `
Rows of JSONL: {"id", "task"?, "patch" or "patchFile", "expected"?}; paths are relative to the file.
A row that can't be read becomes a record without a verdict, and the batch goes on.
--expect takes a row's "expected", else the manifest's calibration, else the nearest folder named by a token.

Examples:
  hidden-oracle batch patches/ --jobs 4 > records.jsonl
  hidden-oracle batch 'runs/**/*.diff' --task tasks/queue --out records.jsonl --resume
  hidden-oracle batch patches/ --expect
  generate-patches | hidden-oracle batch -
${faultHelp([
  [0, "every patch was judged (REJECTED counts as judged)"],
  [6, "--expect: a verdict differs, or an expectation is missing"],
  [75, "some patches were not judged: their records say why"],
])}`;

function addInit(program: Command, go: Go): void {
  program
    .command("init")
    .summary("write a new task that grades at once")
    .description("Writes a small task that grades at once, to be changed into your own.")
    .argument("<DIR>", "a new or empty folder")
    .addHelpText(
      "after",
      `\nExample:\n  hidden-oracle init my-task && cd my-task && hidden-oracle grade patches/fix.diff\n${faultHelp([[0, "the task was written"]])}`,
    )
    .action((folder: string) => go(import("./init.ts").then(({ initCommand }) => initCommand(folder))));
}

function addDoctor(program: Command, run: Run, go: Go): void {
  program
    .command("doctor")
    .summary("what of this machine is usable, one line each, with the mend")
    .description(
      "Looks at this machine and builds and runs small programs that must fail, to see that they do.",
    )
    .option("--full", "run the selftest as well")
    .option("--json", "print the findings as JSON")
    .addHelpText(
      "after",
      `\nExamples:\n  hidden-oracle doctor\n  hidden-oracle doctor --full\n  hidden-oracle doctor --json | jq '.[] | select(.status != "ok")'\n${faultHelp(
        [
          [0, "everything that is needed works"],
          [6, "something does not work; the mend is named"],
          [69, "nothing can be graded on this machine"],
        ],
      )}`,
    )
    .action((flags) => go(import("./doctor.ts").then(({ doctorCommand }) => doctorCommand(flags, run))));
}

function addSelftest(program: Command, run: Run, go: Go): void {
  program
    .command("selftest")
    .summary("grade the shipped attacks and honest patches on this machine")
    .description("Grades the shipped corpus anew: how many attacks pass, how many honest patches don't.")
    .option("--json", "print the counts as JSON")
    .addOption(jobsOption())
    .addHelpText(
      "after",
      `\nExample:\n  hidden-oracle selftest\n${faultHelp([
        [0, "every answer is an expected one"],
        [6, "some are not; they are listed"],
      ])}`,
    )
    .action((flags) =>
      go(import("./selftest.ts").then(({ selftestCommand }) => selftestCommand(flags, run))),
    );
}

function addCompletion(program: Command, run: Run, go: Go): void {
  program
    .command("completion")
    .summary("print a completion script for a shell")
    .description("Prints a completion script for a shell.")
    .argument("<SHELL>", "bash, zsh or fish")
    .addHelpText(
      "after",
      `\nExamples:\n  source <(hidden-oracle completion bash)\n  hidden-oracle completion fish > ~/.config/fish/completions/hidden-oracle.fish\n${faultHelp([[0, "the script was printed"]])}`,
    )
    .action((shell: string) =>
      go(
        import("./completion.ts").then(({ completionCommand }) =>
          completionCommand(shell, buildProgram(run, go)),
        ),
      ),
    );
}
