/** The brief: all that a code generator may know of a task. Nothing else has a place in its types. */
import { createHash } from "node:crypto";

/** A file as a reader sees it: UTF-8 text. */
export interface BriefFile {
  /** Relative to the task folder. */
  readonly path: string;
  readonly text: string;
}

/** Prompt, shown tests and present sources of a task. */
export interface Brief {
  /** Id of the task. */
  readonly task: string;
  /** What the task asks for, in its author's words. */
  readonly prompt: string;
  /** Names and globs of the files that an answer may change. */
  readonly mayChange: readonly string[];
  readonly tests: readonly BriefFile[];
  readonly sources: readonly BriefFile[];
}

/** One message of a chat, as the chat-completions protocol has it. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What every code generator is told first, however it hands in its repair. */
export const whatCounts = `You repair C++ code. You are shown a task, the tests that your repair is shown, and the sources as they are.

What counts:
- The shown tests have to pass, built with sanitizers, whose reports are failures.
- Passing them is not enough. The repair has to keep what the task and the sources promise, for every caller and every input, not for the shown values alone. More is checked than is shown.
- Change only the files that may be changed. Tests can't be changed.`;

/** The standing instructions: what counts, and in what form to answer. */
export const standingInstructions = `${whatCounts}

How to answer:
- With one unified diff (--- a/PATH, +++ b/PATH, @@ hunks with their exact context lines) in one fenced block, against the sources exactly as shown; each answer starts from them anew.
- Where you can't write a diff: each changed file whole, in a fenced block of its own with the path after the language (\`\`\`cpp PATH), or blocks of "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE" with the path on the line before.
- Give one patch only, and explain it in a few sentences at most.`;

/** What a model is sent first. `system` takes the place of the standing instructions. */
export function briefMessages(brief: Brief, system: string = standingInstructions): Message[] {
  const parts = [
    brief.prompt.trim(),
    `## Files that may be changed\n\n${brief.mayChange.map((path) => `- ${path}`).join("\n")}`,
    `## The shown tests\n\n${brief.tests.map(fenced).join("\n\n")}`,
    `## The sources as they are\n\n${brief.sources.map(fenced).join("\n\n")}`,
  ];
  return [
    { role: "system", content: system },
    { role: "user", content: `${parts.join("\n\n")}\n` },
  ];
}

/** SHA-256 of the messages, in hexadecimal: names what was asked. */
export function promptDigest(messages: readonly Message[]): string {
  const text = JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A fence is longer than any run of its marks inside. */
function fenced({ path, text }: BriefFile): string {
  const runs = (text.match(/`{3,}/g) ?? []).map((run) => run.length);
  const marks = "`".repeat(Math.max(2, ...runs) + 1);
  return `${path}\n${marks}cpp\n${text.replace(/\r\n/g, "\n").trimEnd()}\n${marks}`;
}
