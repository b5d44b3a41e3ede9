/** Declares `loop`. */
import { type Command, InvalidArgumentError } from "commander";
import { exitOf } from "../model/verdict.ts";
import { addAgentOptions } from "./agent-options.ts";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, jobsOption, positive, taskOption } from "./options.ts";
import type { Run } from "./run.ts";

/** Adds `loop` to the program. */
export function addLoop(program: Command, run: Run, go: Go): void {
  const loop = program
    .command("loop")
    .summary("ask a model again until its patch passes, and never show it the judge")
    .description(
      "Asks a code generator for a patch, grades it here, tells it one of five words, and asks again.",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option("--base-url <URL>", "a chat-completions endpoint, such as http://127.0.0.1:8080/v1")
    .option("--model <NAME>", "the model to ask")
    .option("--attempts <N>", "rounds at most (default: 8)", positive)
    .option("--samples <K>", "answers a round; the best goes on (default: 1)", positive)
    .option("--token-budget <N>", "tokens at most, asked and answered", amount)
    .option("--time-budget <S>", "seconds at most; a question that is under way is dropped then", amount)
    .option("--temperature <T>", "sent along where it is given", number)
    .option("--key-env <NAME>", "variable that holds the key (default: OPENAI_API_KEY)")
    .option(
      "--timeout <S>",
      "seconds with no word of an answer before a request is tried again (default: 300)",
      amount,
    )
    .option("--no-stream", "ask for whole answers")
    .option("--price-in <N>", "price of a million tokens asked, to show the cost", number)
    .option("--price-out <N>", "price of a million tokens answered", number);
  addAgentOptions(loop)
    .option("--run <DIR>", "folder of the transcript (default: a new one in the state folder)")
    .option("--out <DIR>", "the same as --run")
    .option("--resume <RUN>", "go on with a run; budgets may be given anew")
    .option("--replay <RUN>", "grade the recorded answers of a run again, with no model")
    .option("--config <FILE>", "compare models, prompts and tasks, as a file says")
    .option("--json", "print a summary as JSON in place of the word")
    .addOption(jobsOption())
    .addHelpText("after", loopHelp)
    .action(({ out, ...flags }) =>
      go(import("./loop.ts").then(({ loopCommand }) => loopCommand({ run: out, ...flags }, run))),
    );
}

/** A positive number. @throws InvalidArgumentError */
function amount(text: string): number {
  const value = number(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be more than 0.");
}

/** A number that is not negative. @throws InvalidArgumentError */
function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError("It must be a number that is not negative.");
}

const loopHelp = `
The model is told rejected, build failed, visible failed, overfit or pass, and what the shown tests themselves say.
The key is read from the environment, and is neither printed nor stored. See docs/loop.md.

An agent finds the brief, what became of its last patch, and that patch in files of its checkout that
HIDDEN_ORACLE_PROMPT_FILE, HIDDEN_ORACLE_FEEDBACK_FILE and HIDDEN_ORACLE_LAST_PATCH_FILE name;
HIDDEN_ORACLE_ATTEMPT counts from 1. What differs in the checkout afterwards is its patch.

Environment:
  OPENAI_API_KEY                                        the key, unless --key-env names another variable
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY          proxies; NODE_EXTRA_CA_CERTS names further authorities
  HIDDEN_ORACLE_IDENTITY_FILE, HIDDEN_ORACLE_IDENTITY   the identity that opens a sealed oracle
  HIDDEN_ORACLE_STATE                                   folder of the ledger and of runs
  HIDDEN_ORACLE_CACHE                                   folder of the cache

Examples:
  hidden-oracle loop --base-url http://127.0.0.1:8080/v1 --model coder --attempts 4
  hidden-oracle loop --base-url https://api.example.com/v1 --model coder --key-env EXAMPLE_KEY --run runs/1
  hidden-oracle loop --agent 'my-agent --fix "$HIDDEN_ORACLE_PROMPT_FILE"' --agent-path /opt/my-agent --agent-network --agent-env MY_KEY
  hidden-oracle loop --resume runs/1 --attempts 12
  hidden-oracle loop --replay runs/1
  hidden-oracle loop --config bench.jsonc --json
${faultHelp([
  [exitOf.PASS, "PASS: a candidate for human review"],
  [exitOf.FAIL_BOTH, "FAIL_BOTH: no candidate passed the shown tests"],
  [exitOf.FAIL_VISIBLE, "FAIL_VISIBLE: repair the oracle"],
  [exitOf.OVERFIT, "OVERFIT: the best candidate passes the shown tests only"],
  [exitOf.REJECTED, "REJECTED: no answer could be judged"],
  [6, "--replay: a verdict is not the recorded one"],
  [65, "the task is at fault, or a message would leak its oracle"],
  [69, "the endpoint refuses, or a needed program is missing"],
  [75, "the endpoint or the machine can't at the moment: try again with --resume"],
  [130, "interrupted (143: terminated); what was done is kept for --resume"],
])}`;
