/** Declares the options of `loop` that put an agent's command in a model's place. */
import { type Command, InvalidArgumentError } from "commander";
import { positive } from "./options.ts";

/** What an agent may use where nothing else is said. */
export const agentDefaults = { timeout: 600, memory: 4096, disk: 2048, processes: 256 } as const;

/** Adds them to `loop`. */
export function addAgentOptions(loop: Command): Command {
  const { timeout, memory, disk, processes } = agentDefaults;
  const list = (value: string, before: readonly string[] = []) => [...before, value];
  return loop
    .option("--agent <COMMAND>", "run this in a sandboxed checkout in place of asking a model (for sh -c)")
    .option("--agent-network", "let the agent reach the network")
    .option(
      "--agent-env <NAME>",
      "pass this variable on; its value is never printed or stored (repeatable)",
      list,
    )
    .option(
      "--agent-path <DIR>",
      "folder outside /usr that the agent can read, in its PATH (repeatable)",
      list,
    )
    .option(
      "--agent-timeout <S>",
      `seconds of one attempt; what is there then counts (default: ${timeout})`,
      seconds,
    )
    .option("--agent-memory <MIB>", `memory of all its processes (default: ${memory})`, mebibytes)
    .option("--agent-disk <MIB>", `size of its checkout and home (default: ${disk})`, mebibytes)
    .option("--agent-processes <N>", `its processes and threads (default: ${processes})`, positive);
}

/** A week, in seconds. */
const longest = 7 * 24 * 3600;
/** A tebibyte, in MiB. */
const largest = 1 << 20;

function seconds(text: string): number {
  return upTo(longest, text);
}

function mebibytes(text: string): number {
  return upTo(largest, text);
}

/** @throws InvalidArgumentError */
function upTo(most: number, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
}
