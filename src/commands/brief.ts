/** `brief`: prints exactly what a model would be sent. */
import { briefMessages } from "../model/brief.ts";
import { briefOf } from "../task/brief.ts";
import { assertBriefHoldsNothing, openScan } from "./leak-scan.ts";
import { openLockedTask } from "./open.ts";
import { writeOut } from "./terminal.ts";

/** Flags of `brief`, as they are parsed. */
export interface BriefFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly json?: boolean;
}

/** @throws GraderError 65 when the task has drifted from its lock, or its brief or a hint would leak the oracle. */
export async function briefCommand({ task: named, identity, json }: BriefFlags): Promise<number> {
  const task = await openLockedTask(named, identity);
  const messages = briefMessages(briefOf(task));
  assertBriefHoldsNothing(task, messages, openScan(task));
  await writeOut(
    json
      ? `${JSON.stringify(messages, null, 2)}\n`
      : `${messages.map(({ content }) => content.trimEnd()).join("\n\n")}\n`,
  );
  return 0;
}
