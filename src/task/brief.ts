/** From a loaded task to its brief: the one place that chooses what a code generator is shown. */
import type { Brief, BriefFile } from "../model/brief.ts";
import type { Target, Task, TestCase } from "../model/task.ts";

const plainPrompt = "The shown tests fail. Find out why, and repair the sources.";

/** Prompt, tests of the visible layer, and present sources. */
export function briefOf(task: Task): Brief {
  return {
    task: task.id,
    prompt: task.prompt === undefined ? plainPrompt : textOf(task.prompt),
    mayChange: task.manifest.sources,
    tests: uniqueByPath(task.layers.visible.flatMap(filesOf)),
    sources: [...task.sources].map(([path, bytes]) => ({ path, text: textOf(bytes) })),
  };
}

function filesOf({ sources, cases, command }: Target): BriefFile[] {
  return [
    ...sources.map(({ path, text }) => ({ path, text: textOf(text) })),
    ...cases.map((each) => ({ path: `case ${each.name}`, text: caseText(each) })),
    ...(command === undefined ? [] : [{ path: "command", text: command.join(" ") }]),
  ];
}

function caseText({ args, stdin, stdout, exitCode }: TestCase): string {
  const parts = [
    `arguments: ${JSON.stringify(args)}`,
    `standard input:\n${textOf(stdin)}`,
    ...(stdout === undefined ? [] : [`standard output must be:\n${textOf(stdout)}`]),
    `exit status must be: ${exitCode}`,
  ];
  return parts.join("\n");
}

function uniqueByPath(files: readonly BriefFile[]): BriefFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
