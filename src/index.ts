/** The public API: load a task, grade a patch, and the types of what comes back. */
import { type OpenOptions, openCache, openContext, openMachine } from "./commands/open.ts";
import { grade } from "./grade/grade.ts";
import type { GradeOptions } from "./grade/request.ts";
import type { GradeRecord } from "./model/record.ts";
import type { Task } from "./model/task.ts";

export type { GradeOptions } from "./grade/request.ts";
export { GraderError } from "./model/errors.ts";
export type { LayerOutcome } from "./model/outcome.ts";
export type { GradeRecord } from "./model/record.ts";
export type { Task } from "./model/task.ts";
export { exitOf, type Token, tokens } from "./model/verdict.ts";
export { loadTask } from "./task/load.ts";

/** How a grader works; everything has a default. */
export type GraderOptions = Partial<Pick<OpenOptions, "jobs" | "cache" | "signal" | "onStep">>;

/** Grades patches of one task until it is closed. */
export interface Grader extends AsyncDisposable {
  /**
   * Grades a unified diff. What is wrong with the patch is in the record.
   *
   * @throws GraderError for faults of the task or the machine.
   */
  grade(patch: string | Uint8Array, options?: GradeOptions): Promise<GradeRecord>;
  /** Ends what still runs and removes the work folder. */
  close(): Promise<void>;
}

/** Opens a grader for many patches; close it, or declare it with `await using`. */
export async function openGrader(task: Task, options: GraderOptions = {}): Promise<Grader> {
  return open(task, options, true);
}

/** Grades one patch, and opens and closes everything for it. */
export async function gradePatch(
  task: Task,
  patch: string | Uint8Array,
  options: GraderOptions & GradeOptions = {},
): Promise<GradeRecord> {
  const grader = await open(task, options, false);
  try {
    return await grader.grade(patch, options);
  } finally {
    await grader.close();
  }
}

async function open(task: Task, options: GraderOptions, many: boolean): Promise<Grader> {
  const how: OpenOptions = { signal: new AbortController().signal, ...options, many };
  const machine = openMachine(how);
  const close = () => machine[Symbol.asyncDispose]();
  try {
    const context = await openContext(task, machine, how, openCache());
    return {
      grade: (patch, gradeOptions) => {
        const bytes = typeof patch === "string" ? Buffer.from(patch) : patch;
        return grade(context, { kind: "patch", bytes }, gradeOptions);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
