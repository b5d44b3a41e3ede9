/** The scan that every outgoing message passes, for one task. */
import { openLeakScanner } from "../audit/leaks/scanner.ts";
import type { Scan } from "../loop/leak-gate.ts";
import type { Message } from "../model/brief.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";

/** Opens the scan of a task once for all its messages. Hits tell places of the scanned text, never its words. */
export function openScan(task: Task): Scan {
  const scanner = openLeakScanner(task);
  return (text) =>
    scanner.scan(text).map(({ level, firstLine, lastLine }) => ({
      where: firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`,
      sure: level !== "possible",
    }));
}

/** @throws GraderError 65 when the brief or a hint would leak the oracle. */
export function assertBriefHoldsNothing(task: Task, messages: readonly Message[], scan: Scan): void {
  const sure = messages.flatMap(({ content }, at) => surePlaces(`message ${at + 1}`, content, scan));
  if (sure.length > 0)
    throw new GraderError(ExitCode.badTask, `the brief leaks the oracle · ${sure.join(" · ")}`, {
      hint: "take the oracle's text out of the prompt or the shown files",
    });
  assertHintsHoldNothing(task, scan);
}

/** Looks at every hint before the first question, since each answer before a hint's own would cost. @throws GraderError 65 */
export function assertHintsHoldNothing({ manifest, manifestPath }: Task, scan: Scan): void {
  const sure = Object.entries(manifest.hints).flatMap(([token, hint]) =>
    surePlaces(`hints.${token}`, hint ?? "", scan),
  );
  if (sure.length === 0) return;
  throw new GraderError(ExitCode.badTask, `a hint leaks the oracle · ${sure.join(" · ")}`, {
    hint: "nothing was sent: take the oracle's text out of the manifest's hints",
    location: { file: manifestPath, line: 1, column: 1 },
  });
}

function surePlaces(name: string, text: string, scan: Scan): string[] {
  return scan(text).flatMap(({ sure, where }) => (sure ? [`${name}, ${where}`] : []));
}
