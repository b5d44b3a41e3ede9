/** The tool server for agents: the brief, and a judge whose answers are one of five words. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { feedbackText, type Hints } from "../loop/feedback.ts";
import type { Scan } from "../loop/leak-gate.ts";
import { whatCounts } from "../model/brief.ts";
import type { GraderError } from "../model/errors.ts";
import { agentWords, redactFault } from "../model/redact.ts";
import type { AgentJudge, Shown } from "../model/shown.ts";
import { version } from "../model/version.ts";

/** What an agent is told before the brief. */
export const toolInstructions = `${whatCounts}

How to hand in a repair:
- Call grade_patch with one unified diff (--- a/PATH, +++ b/PATH, @@ hunks with their exact context lines) against the sources exactly as shown; each patch starts from them anew.
- The answer is rejected, build failed, visible failed, overfit or pass, with what the shown tests say. Overfit: the shown tests pass, and the repair does not hold beyond them.
- Answers are counted and limited. Think first; the same repair again costs nothing.`;

/** All that the server can reach. What comes from the judge is already redacted. */
export interface ToolDeps {
  /** Instructions and brief, as one text. */
  readonly brief: string;
  readonly hints: Hints;
  /** Opens the judge for a client, by the name that it gives itself. Asked once. */
  readonly openJudge: (client: string) => AgentJudge;
  readonly scan: Scan;
  /** Whatever was thrown, as one fault. */
  readonly faultOf: (error: unknown) => GraderError;
  /** For the maintainer's eyes; never sent. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Larger than a patch of the largest size, written as JSON. */
const longestMessage = 64 * 1024 * 1024;

const patchInput = { patch: z.string().check(z.describe("A unified diff against the sources as shown.")) };
const gradeOutput = {
  verdict: z.enum(agentWords),
  told: z.string().check(z.describe("What a reader may know of the verdict.")),
  repeated: z.boolean().check(z.describe("The same repair was judged before; it cost nothing.")),
  labelsLeft: z.number().check(z.describe("Answers that may still be asked for.")),
};

/** Serves the tools over standard input and output until the client goes or the signal comes. */
export async function serveTools(deps: ToolDeps): Promise<void> {
  const server = new McpServer({ name: "hidden-oracle", version }, { instructions: toolInstructions });
  const calls = new Set<Promise<unknown>>();
  const answer = (work: () => Promise<CallToolResult>) => {
    const call = answered(work, deps);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  };
  addTools(server, deps, answer);
  const gone = clientGone(server, deps);
  await server.connect(
    new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: longestMessage }),
  );
  await gone;
  // What was asked before the end of the input is still answered.
  for (await nextTurn(); calls.size > 0 && !deps.signal.aborted; await nextTurn())
    await Promise.allSettled([...calls]);
  await server.close();
  deps.signal.throwIfAborted();
}

type Answer = (work: () => Promise<CallToolResult>) => Promise<CallToolResult>;

function addTools(server: McpServer, deps: ToolDeps, answer: Answer): void {
  let judge: AgentJudge | undefined;
  const judgeOf = () => (judge ??= deps.openJudge(clientName(server)));
  server.registerTool(
    "get_brief",
    {
      title: "The task",
      description: "The task: what to repair, the files that may change, the shown tests, and the sources.",
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => answer(async () => ({ content: [{ type: "text", text: deps.brief }] })),
  );
  server.registerTool(
    "grade_patch",
    {
      title: "Grade a patch",
      description:
        "Grades one patch: rejected, build failed, visible failed, overfit or pass. Answers are counted and limited.",
      inputSchema: patchInput,
      outputSchema: gradeOutput,
      annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ patch }) => answer(() => gradePatch(judgeOf(), patch, deps)),
  );
}

/** The name as it goes into the ledger: one short line. */
function clientName(server: McpServer): string {
  const said = server.server.getClientVersion()?.name ?? "";
  return said.replace(/[^\x20-\x7e]+/g, "?").slice(0, 100) || "unnamed";
}

async function gradePatch(
  judge: AgentJudge,
  patch: string,
  { hints, log }: ToolDeps,
): Promise<CallToolResult> {
  const shown = await judge.judge(patch);
  const { given, budget } = judge.labels();
  const left = Math.max(0, budget - given);
  if (shown === null) {
    log(`refused · the query budget is used up · labels ${given}/${budget}`);
    const text = `No more answers: ${given} of ${budget} are used, ${left} are left. A repair that was judged before is still answered.`;
    return { isError: true, content: [{ type: "text", text }] };
  }
  const { report, repeated, stop } = shown;
  log(`${report.word}${repeated ? " (as before)" : ""} · labels ${given}/${budget}`);
  if (stop) log("warning: a patch failed the shown tests only: repair the oracle");
  const told = `${wordsFor(shown, hints)}\n\nAnswers left: ${left} of ${budget}.`;
  const structuredContent = { verdict: report.word, told, repeated, labelsLeft: left };
  return { content: [{ type: "text", text: told }], structuredContent };
}

function wordsFor({ report, repeated }: Shown, hints: Hints): string {
  if (report.word !== "pass") return feedbackText({ report, repeated }, hints);
  return "Verdict: pass. The patch is a candidate for review by people.";
}

/** Nothing leaves unscanned, and a fault says nothing of the hidden layer. */
async function answered(work: () => Promise<CallToolResult>, deps: ToolDeps): Promise<CallToolResult> {
  const { scan, faultOf, log, signal } = deps;
  try {
    const result = await work();
    const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const sure = texts.flatMap(scan).filter((hit) => hit.sure);
    if (sure.length === 0) return result;
    log(`stopped an answer that shows the oracle · ${sure.map(({ where }) => where).join(" · ")}`);
    return errorResult("The answer can't be shown.", "ask who keeps the task");
  } catch (error) {
    const fault = faultOf(error);
    if (!signal.aborted) log(`fault ${fault.exit} · ${fault.message}`);
    const { message, hint } = redactFault(fault);
    return errorResult(`Not judged: ${message}.`, hint);
  }
}

function errorResult(message: string, hint: string | undefined): CallToolResult {
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return { isError: true, content: [{ type: "text", text }] };
}

/** The end of the input, a broken output, or the signal. The SDK's transport does not look for the first two. */
function clientGone(server: McpServer, { signal, log }: ToolDeps): Promise<void> {
  return new Promise((resolve) => {
    const gone = () => resolve();
    for (const event of ["end", "close"]) process.stdin.once(event, gone);
    process.stdout.once("error", gone);
    signal.addEventListener("abort", gone, { once: true });
    if (signal.aborted) gone();
    server.server.onclose = gone;
    server.server.onerror = ({ message }) => log(`not understood · ${message.split("\n")[0]?.slice(0, 200)}`);
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
