/** From flags to what a run's configuration says of its agent. */
import { ExitCode, GraderError } from "../model/errors.ts";
import type { AgentConfig } from "../model/transcript.ts";
import { agentDefaults } from "./agent-options.ts";

/** Flags of an agent, as they are parsed. */
export interface AgentFlags {
  readonly agent?: string;
  readonly agentNetwork?: boolean;
  readonly agentEnv?: readonly string[];
  readonly agentPath?: readonly string[];
  readonly agentTimeout?: number;
  readonly agentMemory?: number;
  readonly agentDisk?: number;
  readonly agentProcesses?: number;
}

/** What is said to a model alone; an agent talks to its own. */
interface ModelFlags {
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly temperature?: number;
  readonly tokenBudget?: number;
  readonly priceIn?: number;
  readonly priceOut?: number;
  readonly timeout?: number;
  readonly stream: boolean;
}

/** Undefined without `--agent`. @throws GraderError 64 when flags don't go together. */
export function agentConfigOf(flags: AgentFlags & ModelFlags): AgentConfig | undefined {
  const {
    agent: command,
    agentNetwork,
    agentEnv,
    agentPath,
    agentTimeout,
    agentMemory,
    agentDisk,
    agentProcesses,
  } = flags;
  const own = { agentNetwork, agentEnv, agentPath, agentTimeout, agentMemory, agentDisk, agentProcesses };
  if (command === undefined) {
    refuseFlags(own, "needs --agent");
    return undefined;
  }
  if (command.trim() === "")
    throw new GraderError(ExitCode.usage, "--agent is empty", {
      hint: "give the command that runs the agent",
    });
  const { baseUrl, keyEnv, temperature, tokenBudget, priceIn, priceOut, timeout, stream } = flags;
  const noStream = stream ? undefined : true;
  refuseFlags(
    { baseUrl, keyEnv, temperature, tokenBudget, priceIn, priceOut, timeout, noStream },
    "has no meaning with --agent",
  );
  return {
    command,
    network: agentNetwork ?? false,
    env: [...(agentEnv ?? [])],
    paths: [...(agentPath ?? [])],
    timeoutSeconds: agentTimeout ?? agentDefaults.timeout,
    memoryMiB: agentMemory ?? agentDefaults.memory,
    diskMiB: agentDisk ?? agentDefaults.disk,
    processes: agentProcesses ?? agentDefaults.processes,
  };
}

/** Refuses the first of these flags that is given, by its name on the command line. @throws GraderError 64 */
export function refuseFlags(flags: Readonly<Record<string, unknown>>, why: string): void {
  const given = Object.keys(flags).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const flag = `--${given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new GraderError(ExitCode.usage, `${flag} ${why}`, { hint: "see hidden-oracle loop --help" });
}
