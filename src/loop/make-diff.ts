/** A file before and after → a unified diff that every reader of diffs takes. */

const around = 3;

/** Lines without their ends; CR before LF is the file's own matter, which applying keeps. */
function linesOf(text: string): string[] {
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** One file's diff, its changes in a single hunk; empty where the lines are the same. `before` is null for a new file. */
export function makeDiff(path: string, before: string | null, after: string): string {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  if (before !== null && head === old.length && head === now.length) return "";
  const from = Math.max(0, head - around);
  const more = Math.min(around, tail);
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail];
  const body = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, oldEnd).map((line) => `-${line}`),
    ...now.slice(head, newEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + more).map((line) => ` ${line}`),
  ];
  const range = (length: number) => `${length === 0 ? 0 : from + 1},${length}`;
  const hunk = `@@ -${range(oldEnd + more - from)} +${range(newEnd + more - from)} @@`;
  const head1 = before === null ? "--- /dev/null" : `--- a/${path}`;
  return `${head1}\n+++ b/${path}\n${hunk}\n${body.join("\n")}\n`;
}
