/** An agent's command as the loop's generator: a checkout, a run in the sandbox, and the difference that it left. */
import type { LoopDeps, Proposal, Turn } from "../loop/loop.ts";
import { type Secrets, secretIn, withoutSecrets } from "../loop/secrets.ts";
import { treeDiff } from "../loop/tree-diff.ts";
import { whatCounts } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Bytes, Task } from "../model/task.ts";
import type { AgentConfig } from "../model/transcript.ts";
import type { Tree } from "../model/tree.ts";
import type { Machine } from "../sandbox/machine.ts";
import { type AgentOutcome, type AgentWork, agentPlaces, runAgent } from "../sandbox/run-agent.ts";
import { checkoutOf } from "../task/checkout.ts";
import { assertSystemHoldsNone, checkedTool, guardedPlaces } from "./agent-places.ts";

/** What an agent is told before the brief. */
export const agentInstructions = `${whatCounts}

How to hand in a repair:
- Change the files in this folder. The difference to what you found here is your patch; nothing needs to be committed or answered.
- Leave nothing else behind: a file that may not be changed, removed or added makes the whole patch rejected. Build in $TMPDIR or $HOME. A .git folder at the top is your own.
- $HIDDEN_ORACLE_FEEDBACK_FILE, where it is set, says what became of your last patch, which is in $HIDDEN_ORACLE_LAST_PATCH_FILE. This folder holds the sources as they first were; each patch starts from them anew.`;

/** Where a run's agent comes from. */
export interface AgentSetting {
  readonly agent: AgentConfig;
  readonly task: Task;
  readonly runFolder: string;
  readonly identity: string | undefined;
}

/** Checks all that can be checked before anything runs. @throws GraderError 64 or 65 */
export function openAgent(setting: AgentSetting): (machine: Machine) => LoopDeps["propose"] {
  const { agent, task, runFolder, identity } = setting;
  const guarded = guardedPlaces(task, runFolder, identity);
  assertSystemHoldsNone(guarded);
  const opened: Opened = {
    agent,
    secrets: valuesOf(agent.env),
    tools: agent.paths.flatMap((path) => checkedTool(path, guarded)),
    files: checkoutOf(task),
  };
  return (machine) => (turn) => propose(opened, machine, turn);
}

interface Opened {
  readonly agent: AgentConfig;
  readonly secrets: Secrets;
  readonly tools: AgentWork["tools"];
  readonly files: ReadonlyMap<string, Bytes>;
}

const ownNames = /^(?:PATH|HOME|TMPDIR|LD_.*|HIDDEN_ORACLE_.*)$/;

/** @throws GraderError 64 for a variable that is not set, or is not the agent's to know. */
function valuesOf(names: readonly string[], env: NodeJS.ProcessEnv = process.env): Secrets {
  return new Map(
    names.map((name) => {
      if (!/^[A-Za-z_]\w*$/.test(name) || ownNames.test(name))
        throw new GraderError(ExitCode.usage, `--agent-env can't pass this variable on · ${name}`, {
          hint: "name one that the agent itself needs, such as the key of its model",
        });
      const value = env[name];
      if (value === undefined)
        throw new GraderError(ExitCode.usage, `a variable of --agent-env is not set · ${name}`, {
          hint: "set it, or leave the option out",
        });
      return [name, value] as const;
    }),
  );
}

async function propose(opened: Opened, machine: Machine, turn: Turn): Promise<Proposal | null> {
  const { agent, secrets, tools, files } = opened;
  const wallMs = Math.min(agent.timeoutSeconds * 1000, turn.deadline - Date.now());
  if (wallMs <= 0) return null;
  const notes = notesFor(turn, files);
  const names = new Set(notes.map(({ name }) => name));
  const outcome = await runAgent(machine, {
    command: agent.command,
    files: new Map([...files, ...notes.map(({ name, text }) => [name, bytesOf(text)] as const)]),
    env: { ...Object.fromEntries(secrets), ...variablesOf(notes, turn) },
    tools,
    network: agent.network,
    limits: agent,
    wallMs,
    ignore: (path) => path === ".git" || names.has(path),
  });
  if (outcome.stopped === "time" && Date.now() >= turn.deadline) return null;
  return { ...patchOf(outcome, opened), answer: said(outcome, secrets), usage: unknownUsage };
}

/** What an agent spends is its own account. */
const unknownUsage = { prompt: 0, completion: 0, estimated: true };

interface Note {
  readonly variable: string;
  readonly name: string;
  readonly text: string;
}

function notesFor({ messages, feedback, lastPatch }: Turn, files: ReadonlyMap<string, Bytes>): Note[] {
  const prompt = messages.slice(0, 2).map(({ content }) => content.trimEnd());
  const note = (what: string, wished: string, text: string | null): Note[] => {
    let name = wished;
    while (files.has(name)) name = `_${name}`;
    return text === null ? [] : [{ variable: `HIDDEN_ORACLE_${what}_FILE`, name, text }];
  };
  return [
    ...note("PROMPT", "PROMPT.md", `${prompt.join("\n\n")}\n`),
    ...note("FEEDBACK", "FEEDBACK.md", feedback === null ? null : `${feedback}\n`),
    ...note("LAST_PATCH", "LAST.patch", lastPatch),
  ];
}

function variablesOf(notes: readonly Note[], { attempt }: Turn): Record<string, string> {
  const files = notes.map(({ variable, name }) => [variable, `${agentPlaces.checkout}/${name}`]);
  return { ...Object.fromEntries(files), HIDDEN_ORACLE_ATTEMPT: String(attempt) };
}

function patchOf(outcome: AgentOutcome, { agent, files, secrets }: Opened): Pick<Proposal, "patch" | "why"> {
  const { stopped, tree, code } = outcome;
  const none = (why: string) => ({ patch: null, why });
  if (stopped !== null && stopped !== "time") return none(`stopped · ${limitWords(agent)[stopped]}`);
  if (!isTree(tree)) return none(tree.why);
  // Messages and patches show names, and escape odd ones: a value is looked for before that.
  const named = [...tree.keys()]
    .map((path) => secretIn(textOf(path), secrets))
    .find((name) => name !== undefined);
  if (named !== undefined) return none(`the name of a file holds the value of ${named}`);
  const diff = treeDiff(treeOf(files), tree);
  switch (diff.status) {
    case "unspeakable":
      return none(diff.why);
    case "same":
      if (code === 126 || code === 127) throw notFound(outcome, secrets);
      return none(
        `no change · the checkout is as it was; the agent ${stopped === null ? `ended with status ${code}` : "ran out of time"}`,
      );
    case "patch": {
      const secret = secretIn(diff.patch, secrets);
      return secret === undefined
        ? { patch: diff.patch, why: "" }
        : none(`the patch holds the value of ${secret}`);
    }
  }
}

function limitWords({ memoryMiB, diskMiB, processes }: AgentConfig) {
  return {
    memory: `more than ${memoryMiB} MiB of memory`,
    disk: `more than ${diskMiB} MiB of files, or more of them than can be counted`,
    processes: `more than ${processes} processes and threads`,
  };
}

function isTree(tree: AgentOutcome["tree"]): tree is Tree {
  return tree instanceof Map;
}

function treeOf(files: ReadonlyMap<string, Bytes>): Tree {
  return new Map(
    [...files].map(([path, bytes]) => [bytesOf(path), { kind: "file", bytes, executable: false } as const]),
  );
}

function notFound(outcome: AgentOutcome, secrets: Secrets): GraderError {
  const line = withoutSecrets(textOf(outcome.stderr), secrets).trim().split("\n").at(-1)?.slice(0, 300);
  return new GraderError(
    ExitCode.unavailable,
    `the agent's program does not start in the sandbox · ${line ?? ""}`,
    {
      hint: "name the folder that holds it with --agent-path; only /usr, /bin and /lib are there by themselves",
    },
  );
}

/** Its standard output and error, for the transcript. */
function said({ stdout, stderr, stopped }: AgentOutcome, secrets: Secrets): string {
  const parts = [stdout, stderr].map((bytes) => withoutSecrets(textOf(bytes), secrets).trimEnd());
  const notes = stopped === null ? [] : [`(stopped: ${stopped})`];
  return [...parts, ...notes].filter((part) => part !== "").join("\n");
}

function textOf(bytes: Bytes): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function bytesOf(text: string): Bytes {
  return Buffer.from(text, "utf8").toString("latin1");
}
