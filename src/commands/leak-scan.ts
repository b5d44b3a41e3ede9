/** The scan that every outgoing message passes, for one task. */
import type { LeakHit } from "../loop/loop.ts";
import type { Task } from "../model/task.ts";

/** Opens the scan of a task: lines of the oracle that nothing shown has, found in any text. */
export function openScan(task: Task): (text: string) => readonly LeakHit[] {
  const shown = new Set(
    [
      ...task.layers.visible.flatMap(({ sources }) => sources.map(({ text }) => text)),
      ...task.sources.values(),
    ]
      .flatMap((text) => text.split("\n"))
      .map(plain),
  );
  const oracle = [...task.layers.hidden, ...task.layers.reserve].flatMap(({ sources }) => sources);
  const secret = new Set(
    oracle
      .flatMap(({ text }) => text.split("\n").map(plain))
      .filter((line) => line.length >= 16 && !shown.has(line)),
  );
  return (text) =>
    text.split("\n").flatMap((line, at) => {
      const found = plain(line);
      const isHit = [...secret].some((each) => found.includes(each));
      return isHit ? [{ where: `line ${at + 1}`, sure: true }] : [];
    });
}

function plain(line: string): string {
  return line.replace(/\s+/g, "");
}
