/** Opens what commands share: the task, the machine, the cache; and the one place that reads the environment. */
import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Cache } from "../grade/cache.ts";
import type { GradeContext } from "../grade/context.ts";
import { probeToolchain } from "../grade/toolchain.ts";
import type { Task } from "../model/task.ts";
import { Machine } from "../sandbox/machine.ts";
import { type CalibrationState, describeCalibration, readCalibration } from "../task/certificate.ts";
import { findTask, loadTask } from "../task/load.ts";
import { assertLockHolds } from "../task/lock.ts";
import { readIdentity } from "./identity.ts";
import { assertNoInheritedLimit } from "./inherited-limits.ts";
import { writeErr } from "./terminal.ts";

/** What a command says about how to grade. */
export interface OpenOptions {
  readonly jobs?: number;
  readonly many?: boolean;
  /** Leave the work folder behind. */
  readonly keep?: boolean;
  /** False: grade anew what was graded before. */
  readonly cache?: boolean;
  /** The task itself is in question: its lock and its own failures stop nothing. */
  readonly calibrating?: boolean;
  readonly signal: AbortSignal;
  readonly onStep?: (what: string) => void;
}

/** The task of `--task`, or the nearest one upward of the working folder, opened with `--identity` if it is sealed. */
export function openTask(task: string | undefined, identity?: string): Promise<Task> {
  return loadTask(task ?? findTask(process.cwd()), { identity: readIdentity(identity) });
}

/** The same for what is shown to a code generator: a task that has drifted is not. @throws GraderError 65 */
export async function openLockedTask(named: string | undefined, identity?: string): Promise<Task> {
  const task = await openTask(named, identity);
  assertLockHolds(task);
  return task;
}

/** Folder of the cache: `HIDDEN_ORACLE_CACHE`, or the system's usual place for this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.HIDDEN_ORACLE_CACHE) return resolve(env.HIDDEN_ORACLE_CACHE);
  // Root's home is closed to the users that its sandboxes run under.
  if (process.getuid?.() === 0) return "/var/cache/hidden-oracle";
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hidden-oracle");
}

export type MachineWishes = Pick<OpenOptions, "jobs" | "signal" | "keep">;

/** @throws GraderError 69 when this machine can't grade, 75 when it can't at the moment. */
export function openMachine(options: MachineWishes): Machine {
  assertNoInheritedLimit(readFileSync("/proc/self/limits", "latin1"));
  const path = process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin";
  return Machine.open({
    path,
    tmpRoot: resolve(tmpdir()),
    ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
    signal: options.signal,
    keep: options.keep ?? false,
  });
}

/** Opens a machine, uses it, and closes it whatever happens. */
export async function withMachine<T>(
  options: MachineWishes,
  use: (machine: Machine) => Promise<T>,
): Promise<T> {
  const machine = openMachine(options);
  try {
    return await use(machine);
  } finally {
    await machine[Symbol.asyncDispose]();
  }
}

/** The cache of this user. */
export function openCache(): Cache {
  return new Cache(cacheFolder(process.env));
}

/**
 * Everything that `grade` needs for a task. The machine is the caller's to close.
 *
 * @throws GraderError 65 when the task has drifted from its lock.
 */
export async function openContext(
  task: Task,
  machine: Machine,
  options: OpenOptions,
  cache: Cache = openCache(),
): Promise<GradeContext> {
  if (!options.calibrating) assertLockHolds(task);
  const toolchain = await probeToolchain(task.manifest.compilers[0] ?? "g++", machine, cache);
  const place = task.sealed ? inMemory(machine, cache) : { machine, cache };
  return {
    task,
    toolchain,
    calibration: readCalibration(task, toolchain.version),
    ...place,
    many: options.many ?? false,
    reuseRecords: options.cache ?? true,
    calibrating: options.calibrating ?? false,
    ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
  };
}

/** A work folder and a cache that never reach a disk, for what is built from a sealed oracle. */
function inMemory(machine: Machine, cache: Cache): Pick<GradeContext, "machine" | "cache"> {
  const own = machine.scopeInMemory();
  return { machine: own, cache: cache.withPrivate(own.newFolder("private")) };
}

/** Says on standard error that the task was not calibrated as it is; nothing where it was. */
export function noteCalibration({ calibration }: GradeContext): void {
  noteCertificate(calibration);
}

/** The same of a certificate that was read by itself. */
export function noteCertificate(state: CalibrationState): void {
  if (state.status === "fresh") return;
  writeErr(`note: not calibrated · ${describeCalibration(state)}; run \`hidden-oracle calibrate\``);
}
