/** The scan that every outgoing message passes, for one task. */
import { openLeakScanner } from "../audit/leaks/scanner.ts";
import type { LeakHit } from "../loop/loop.ts";
import type { Task } from "../model/task.ts";

/** Opens the scan of a task once for all its messages. Hits tell places of the scanned text, never its words. */
export function openScan(task: Task): (text: string) => readonly LeakHit[] {
  const scanner = openLeakScanner(task);
  return (text) =>
    scanner.scan(text).map(({ level, firstLine, lastLine }) => ({
      where: firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`,
      sure: level !== "possible",
    }));
}
