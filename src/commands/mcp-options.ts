/** Declares `mcp`. */
import { type Command, InvalidArgumentError } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, jobsOption, taskOption } from "./options.ts";
import type { Run } from "./run.ts";

/** Adds `mcp` to the program. */
export function addMcp(program: Command, run: Run, go: Go): void {
  program
    .command("mcp")
    .summary("serve the brief and the judge as tools for an agent")
    .description(
      "Serves the tools get_brief and grade_patch over standard input and output (Model Context Protocol).",
    )
    .addOption(taskOption())
    .addOption(identityOption())
    .option(
      "--run <NAME>",
      "whom the answers are counted for; each name has a query budget of its own",
      name,
      "mcp",
    )
    .addOption(jobsOption())
    .addHelpText("after", mcpHelp)
    .action((flags) => go(import("./mcp.ts").then(({ mcpCommand }) => mcpCommand(flags, run))));
}

/** A word for the ledger. @throws InvalidArgumentError */
function name(text: string): string {
  if (/^[\w.:@-]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be 1 to 100 letters, digits, or . : @ _ -");
}

const mcpHelp = `
Answers are rejected, build failed, visible failed, overfit or pass, with what the shown tests themselves say. Each is
counted in the ledger; at the query budget the server refuses. Standard output carries the protocol, standard error the
log. An agent on the same machine could read an oracle that is not sealed. See docs/mcp.md.

Environment:
  HIDDEN_ORACLE_IDENTITY_FILE, HIDDEN_ORACLE_IDENTITY   the identity that opens a sealed oracle
  HIDDEN_ORACLE_STATE                                   folder of the ledger
  HIDDEN_ORACLE_CACHE                                   folder of the cache

Examples:
  hidden-oracle mcp --task tasks/queue
  hidden-oracle mcp --task tasks/queue --identity keys/queue.txt --run night-1
${faultHelp([
  [0, "the client has gone"],
  [65, "the task is at fault, or its brief or a hint would leak the oracle"],
])}`;
