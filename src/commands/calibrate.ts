/** `calibrate`: does this task tell right from wrong, every time? */
import { rmSync } from "node:fs";
import { type Calibration, calibrate } from "../audit/calibrate/calibrate.ts";
import type { CalibrationRow } from "../audit/calibrate/calibration.ts";
import type { Certificate } from "../model/certificate.ts";
import { ExitCode } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import { calibrationTable } from "../report/calibration.ts";
import { certificatePath, writeCertificate } from "../task/certificate.ts";
import { openContext, openTask, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

/** Flags of `calibrate`, as they are parsed. */
export interface CalibrateFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly repeat: number;
  readonly json?: boolean;
  readonly jobs?: number;
  /** False: look only. */
  readonly certificate: boolean;
}

/** Calibrates and gives 0, or 6 where anything was found. @throws GraderError */
export async function calibrateCommand(flags: CalibrateFlags, run: Run): Promise<number> {
  const task = await openTask(flags.task, flags.identity);
  const result = await calibrateTask(task, flags, run);
  const { rows, findings, certificate } = result;
  if (flags.certificate) keepCertificate(task, certificate);
  const text = flags.json
    ? JSON.stringify({ task: { id: task.id, digest: task.digest }, rows, findings, certificate })
    : calibrationText(result);
  await writeOut(`${text}\n`);
  return findings.length === 0 ? 0 : ExitCode.findings;
}

/** Calibrates on a machine of its own, with progress on standard error. @throws GraderError */
export async function calibrateTask(
  task: Task,
  { jobs, repeat }: Pick<CalibrateFlags, "jobs" | "repeat">,
  run: Run,
): Promise<Calibration> {
  let done = 0;
  const progress = batchProgress(() => ({ done, total: task.recorded.length + 1 }));
  const wishes = { signal: run.signal, ...(jobs === undefined ? {} : { jobs }) };
  const how = { ...wishes, many: true, cache: false, calibrating: true };
  try {
    return await withMachine(wishes, async (machine) =>
      calibrate(await openContext(task, machine, how), { repeats: repeat, onRow: () => done++ }),
    );
  } finally {
    progress.stop();
  }
}

/** Writes a certificate; without one, takes away an older one: it would vouch for what was just found wanting. */
export function keepCertificate(task: Task, certificate: Certificate | null): void {
  if (certificate === null) rmSync(certificatePath(task), { force: true });
  else writeErr(`certificate: ${writeCertificate(task, certificate)}`);
}

/** The table for a person. */
export function calibrationText({ rows, findings }: Calibration): string {
  const lines = rows.map((row) => ({ ...row, why: whyOf(row) }));
  return calibrationTable(lines, findings, paintFor(process.stdout)).join("\n");
}

function whyOf({ layers }: CalibrationRow): string {
  return Object.entries(layers)
    .map(([name, layer]) => `${name} ${layer.status === "pass" ? "pass" : layer.cause}`)
    .join(", ");
}
