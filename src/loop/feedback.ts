/** What a generator is told after a verdict: one of five words, and what the shown layer itself said. */
import type { Message } from "../model/brief.ts";
import type { AgentReport, AgentWord } from "../model/redact.ts";

/** The task's own hints by word; its author wrote them to be shown. */
export type Hints = Readonly<Partial<Record<AgentWord, string>>>;

const mostLines = 40;
const longestLine = 400;

const opening: Readonly<Record<AgentWord, string>> = {
  rejected: "Verdict: rejected. The answer could not be used.",
  "build failed": "Verdict: build failed. The sources and the shown tests do not build together.",
  "visible failed": "Verdict: visible failed. The shown tests do not pass.",
  overfit:
    "Verdict: overfit. The shown tests pass, and must keep passing; but the repair does not yet hold beyond what is shown.",
  pass: "Verdict: pass.",
};

const closing = "Answer again with one whole patch against the sources as they were first shown.";

/** The text of a feedback message. */
export function feedbackText(
  { report: { word, lines }, repeated }: Omit<Round, "answer">,
  hints: Hints,
): string {
  const told = word === "overfit" || word === "pass" ? [] : trimmed(lines);
  const hint = hints[word];
  const parts = [
    opening[word],
    repeated ? "This is the same repair as an earlier one." : "",
    told.join("\n"),
    hint ?? "",
    closing,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function trimmed(lines: readonly string[]): string[] {
  const all = lines.flatMap((line) => line.split("\n"));
  const kept = all
    .slice(0, mostLines)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  return all.length > mostLines ? [...kept, `… ${all.length - mostLines} more lines`] : kept;
}

/** One answer that went on, and what it was told. */
export interface Round {
  readonly answer: string;
  readonly report: AgentReport;
  /** The same patch was judged before. */
  readonly repeated: boolean;
}

const roundsKept = 3;
const longestQuote = 64 * 1024;

/** An answer sent back. Endless ones would cost tokens each time, and time in the leak scan. */
function quoted(answer: string): string {
  if (answer.trim() === "") return "(no answer)";
  return answer.length > longestQuote ? `${answer.slice(0, longestQuote)}\n(cut)` : answer;
}

/** The next messages: the brief, then the last rounds, since each answer starts from the sources anew. */
export function nextMessages(first: readonly Message[], rounds: readonly Round[], hints: Hints): Message[] {
  const talk = rounds.slice(-roundsKept).flatMap(({ answer, ...told }): Message[] => [
    { role: "assistant", content: quoted(answer) },
    { role: "user", content: feedbackText(told, hints) },
  ]);
  return [...first, ...talk];
}
