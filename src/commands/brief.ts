/** `brief`: prints exactly what a model would be sent. */
import { briefMessages } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import { briefOf } from "../task/brief.ts";
import { openScan } from "./leak-scan.ts";
import { openLockedTask } from "./open.ts";
import { writeOut } from "./terminal.ts";

/** Flags of `brief`, as they are parsed. */
export interface BriefFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly json?: boolean;
}

/** @throws GraderError 65 when the task has drifted from its lock, or the brief would leak the oracle. */
export async function briefCommand({ task: named, identity, json }: BriefFlags): Promise<number> {
  const task = await openLockedTask(named, identity);
  const messages = briefMessages(briefOf(task));
  const scan = openScan(task);
  const sure = messages.flatMap(({ content }, at) =>
    scan(content).flatMap((hit) => (hit.sure ? [`message ${at + 1}, ${hit.where}`] : [])),
  );
  if (sure.length > 0)
    throw new GraderError(ExitCode.badTask, `the brief leaks the oracle · ${sure.join(" · ")}`, {
      hint: "take the oracle's text out of the prompt or the shown files",
    });
  await writeOut(
    json
      ? `${JSON.stringify(messages, null, 2)}\n`
      : `${messages.map(({ content }) => content.trimEnd()).join("\n\n")}\n`,
  );
  return 0;
}
