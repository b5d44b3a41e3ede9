/** `mcp`: the brief and the judge as tools for agents, over standard input and output. */
import { recallStrength } from "../audit/strength/last-strength.ts";
import { openAgentJudge } from "../grade/agent-judge.ts";
import { briefMessages, promptDigest } from "../model/brief.ts";
import { withName } from "../sandbox/sole-holder.ts";
import { serveTools, toolInstructions } from "../server/mcp.ts";
import { briefOf } from "../task/brief.ts";
import { asFault } from "./fault.ts";
import { assertBriefHoldsNothing, openScan } from "./leak-scan.ts";
import { hintsOf, queryBudgetOf, smallBudgetWarning } from "./loop-run.ts";
import { noteCalibration, openContext, openLockedTask, withMachine } from "./open.ts";
import type { Run } from "./run.ts";
import { openLedger } from "./state-folder.ts";
import { writeErr } from "./terminal.ts";

/** Flags of `mcp`, as they are parsed. */
export interface McpFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly run: string;
  readonly jobs?: number;
}

/** Serves until the client goes. Standard output carries the protocol and nothing else. @throws GraderError */
export async function mcpCommand(flags: McpFlags, run: Run): Promise<number> {
  const task = await openLockedTask(flags.task, flags.identity);
  const first = briefMessages(briefOf(task), toolInstructions);
  const scan = openScan(task);
  assertBriefHoldsNothing(task, first, scan);
  if (!task.sealed)
    writeErr(
      "warning: the oracle lies readable beside this server: an agent on this machine could open it",
      "hint: seal it (hidden-oracle seal) and keep its identity from the agent's user, or run the server elsewhere",
    );
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  await withMachine(wishes, async (machine) => {
    const context = await openContext(task, machine, { ...wishes, many: true });
    noteCalibration(context);
    const ledger = openLedger();
    const lineage = { prompt: promptDigest(first), run: flags.run };
    const budget = queryBudgetOf(task, recallStrength(context)?.strength ?? null);
    const { run: given } = ledger.count(task.oracleDigest, flags.run);
    writeErr(
      `serving ${task.id} · labels ${given}/${budget} of ${flags.run}`,
      ...smallBudgetWarning(task, budget),
    );
    await serveTools({
      brief: first.map(({ content }) => content.trimEnd()).join("\n\n"),
      hints: hintsOf(task),
      openJudge: (model) =>
        openAgentJudge({
          context,
          ledger,
          caller: "mcp",
          lineage: { model, ...lineage },
          budget,
          alone: (work) => withName(`mcp · ${task.oracleDigest} · ${flags.run}`, run.signal, work),
        }),
      scan,
      faultOf: asFault,
      log: writeErr,
      signal: run.signal,
    });
  });
  return 0;
}
