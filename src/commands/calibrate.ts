/** `calibrate`: does this task tell right from wrong, every time? */
import { rmSync } from "node:fs";
import { type Calibration, calibrate } from "../audit/calibrate/calibrate.ts";
import type { CalibrationRow } from "../audit/calibrate/calibration.ts";
import { ExitCode } from "../model/errors.ts";
import { calibrationTable } from "../report/calibration.ts";
import { certificatePath, writeCertificate } from "../task/certificate.ts";
import { openContext, openTask, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

/** Flags of `calibrate`, as they are parsed. */
export interface CalibrateFlags {
  readonly task?: string;
  readonly repeat: number;
  readonly json?: boolean;
  readonly jobs?: number;
  /** False: look only. */
  readonly certificate: boolean;
}

/** Calibrates and gives 0, or 6 where anything was found. @throws GraderError */
export async function calibrateCommand(flags: CalibrateFlags, run: Run): Promise<number> {
  const task = await openTask(flags.task);
  let done = 0;
  const progress = batchProgress(() => ({ done, total: task.recorded.length + 1 }));
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  let result: Calibration;
  try {
    result = await withMachine(wishes, async (machine) =>
      calibrate(await openContext(task, machine, { ...wishes, many: true, cache: false }), {
        repeats: flags.repeat,
        onRow: () => done++,
      }),
    );
  } finally {
    progress.stop();
  }
  const { rows, findings, certificate } = result;
  const path = certificatePath(task);
  if (flags.certificate && certificate) writeCertificate(task, certificate);
  // One that was given before would vouch for what has just been found wanting.
  if (flags.certificate && !certificate) rmSync(path, { force: true });
  const lines = rows.map((row) => ({ ...row, why: whyOf(row) }));
  const paint = paintFor(process.stdout);
  const text = flags.json
    ? JSON.stringify({ task: { id: task.id, digest: task.digest }, rows, findings, certificate })
    : calibrationTable(lines, findings, paint).join("\n");
  await writeOut(`${text}\n`);
  if (certificate && flags.certificate) writeErr(`certificate: ${path}`);
  return findings.length === 0 ? 0 : ExitCode.findings;
}

function whyOf({ layers }: CalibrationRow): string {
  return Object.entries(layers)
    .map(([name, layer]) => `${name} ${layer.status === "pass" ? "pass" : layer.cause}`)
    .join(", ");
}
