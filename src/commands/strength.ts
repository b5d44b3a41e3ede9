/** `strength`: mutants of the reference that the oracle misses, its horizons, and whether it asks for too much. */
import { readFileSync, writeFileSync } from "node:fs";
import { measureStrength } from "../audit/strength/strength.ts";
import { packageFile } from "../grade/package-file.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { StrengthReport } from "../model/strength.ts";
import { strengthHtml } from "../report/strength-html.ts";
import { mutationReport } from "../report/strength-json.ts";
import { strengthLines } from "../report/strength-text.ts";
import { openContext, openTask, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

export interface StrengthFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly min?: number;
  readonly json?: boolean;
  readonly html?: string;
  readonly limit?: number;
  readonly jobs?: number;
  readonly cache?: boolean;
}

/** Prints the report; gives 0, or 6 where there are findings. @throws GraderError */
export async function strengthCommand(flags: StrengthFlags, run: Run): Promise<number> {
  const report = await measure(flags, run);
  if (flags.html !== undefined) writePage(flags.html, report);
  const text = flags.json
    ? JSON.stringify(mutationReport(report))
    : strengthLines(report, paintFor(process.stdout)).join("\n");
  await writeOut(`${text}\n`);
  if (flags.json) writeErr(...report.findings.map(({ kind, message }) => `${kind}: ${message}`));
  return report.findings.length === 0 ? 0 : ExitCode.findings;
}

async function measure(flags: StrengthFlags, run: Run): Promise<StrengthReport> {
  const task = await openTask(flags.task, flags.identity);
  let [done, total] = [0, undefined as number | undefined];
  const progress = batchProgress(() => ({ done, total }));
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  try {
    return await withMachine(wishes, async (machine) => {
      const open = { ...wishes, many: true, cache: flags.cache ?? true, calibrating: true };
      return measureStrength(await openContext(task, machine, open), {
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
        ...(flags.min === undefined ? {} : { min: flags.min }),
        onProgress: (now, all) => {
          [done, total] = [now, all];
        },
      });
    });
  } finally {
    progress.stop();
  }
}

/** @throws GraderError 66 when the file can't be written. */
function writePage(file: string, report: StrengthReport): void {
  const viewer = readFileSync(packageFile("dist/mutation-test-elements.js"), "utf8");
  try {
    writeFileSync(file, strengthHtml(report, viewer));
  } catch (error) {
    throw new GraderError(66, `cannot write the page ${file} · ${(error as NodeJS.ErrnoException).code}`, {
      hint: "name a file in a folder that can be written",
      cause: error,
    });
  }
}
