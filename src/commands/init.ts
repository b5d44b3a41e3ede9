/** `init`: a new task of a few small files that grades at once. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GraderError } from "../model/errors.ts";
import { manifestJsonSchema } from "../model/manifest-schema.ts";
import { newTaskFiles } from "./init-template.ts";
import { shellLine } from "./plan.ts";
import { writeErr } from "./terminal.ts";

/** Writes the task and says what to do next. @throws GraderError 64 when the folder is not empty or can't be made. */
export async function initCommand(folder: string): Promise<number> {
  assertEmpty(folder);
  const schema = `${JSON.stringify(manifestJsonSchema())}\n`;
  const files = [...newTaskFiles, [".manifest.schema.json", schema] as const];
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: "wx" });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    throw new GraderError(64, `can't write the task (${code ?? "unknown error"}) · ${folder}`, {
      hint: "name a folder that can be made and written",
      cause: error,
    });
  }
  writeErr(...nextSteps(folder));
  return 0;
}

function assertEmpty(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory())
    throw new GraderError(64, `not a folder · ${folder}`, { hint: "name a new or empty folder" });
  if (readdirSync(folder).length > 0)
    throw new GraderError(64, `the folder is not empty · ${folder}`, {
      hint: "name a new or empty folder: init never writes over files",
    });
}

function nextSteps(folder: string): string[] {
  return [
    `wrote a task of ${newTaskFiles.length} files to ${folder}`,
    "",
    `  ${shellLine(["cd", folder])}`,
    "  hidden-oracle grade patches/fix.diff              # PASS",
    "  hidden-oracle grade patches/shown-case-only.diff  # OVERFIT",
    "  hidden-oracle batch patches --expect              # all recorded patches",
    "",
    "Then put your sources, tests/visible.cpp, oracles/hidden.cpp and prompts/fix.md in their places,",
    "and name them in manifest.json.",
  ];
}
