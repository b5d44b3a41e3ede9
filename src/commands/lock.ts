/** `lock`: binds a task that is calibrated and free of leaks; `lock --check` says what has changed since. */
import { isBlocked } from "../audit/leaks/scanner.ts";
import { scanShown } from "../audit/leaks/shown.ts";
import { ExitCode } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import { readCalibration } from "../task/certificate.ts";
import { readLock, writeLock } from "../task/lock.ts";
import { calibrateTask, calibrationText, keepCertificate } from "./calibrate.ts";
import { noteCertificate, openTask } from "./open.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

/** Flags of `lock`, as they are parsed. */
export interface LockFlags {
  readonly task?: string;
  readonly identity?: string;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly jobs?: number;
}

/** How often `lock` grades each recorded patch: as often as `calibrate` does by itself. */
const repeats = 3;

/** Writes or checks the lock, and gives 0, or 6 where something was found. @throws GraderError */
export async function lockCommand(flags: LockFlags, run: Run): Promise<number> {
  const task = await openTask(flags.task, flags.identity);
  const findings = [...(flags.check ? driftLines(task) : []), ...leakLines(task)];
  if (findings.length > 0) return tell(findings, flags);
  if (flags.check) {
    noteCertificate(readCalibration(task));
    return tell([], flags);
  }
  const calibration = await calibrateTask(task, { ...flags, repeat: repeats }, run);
  keepCertificate(task, calibration.certificate);
  if (calibration.findings.length > 0) {
    if (!flags.json) writeErr(calibrationText(calibration));
    return tell(
      calibration.findings.map(({ kind, about, message }) => `${kind}: ${about}: ${message}`),
      flags,
    );
  }
  writeErr(`lock: ${writeLock(task)}`);
  return tell([], flags);
}

function driftLines(task: Task): string[] {
  const state = readLock(task);
  if (state.status === "none") return ["the task has no lock: run `hidden-oracle lock`"];
  return state.status === "drifted" ? [...state.drift] : [];
}

/** Where what a model is shown says what only the oracle knows. */
function leakLines(task: Task): string[] {
  return scanShown(task)
    .filter(({ hits }) => isBlocked(hits))
    .flatMap(({ name, hits }) =>
      hits.map(
        ({ level, signals, firstLine }) =>
          `${name}:${firstLine}: holds the oracle (${level}: ${signals.join(", ")})`,
      ),
    );
}

async function tell(findings: readonly string[], { json, check }: LockFlags): Promise<number> {
  const paint = paintFor(process.stdout);
  const good = check ? "the lock holds" : "locked";
  const text = json
    ? JSON.stringify({ findings })
    : findings.length === 0
      ? paint.green(good)
      : findings.map((line) => paint.red(line)).join("\n");
  await writeOut(`${text}\n`);
  return findings.length === 0 ? 0 : ExitCode.findings;
}
