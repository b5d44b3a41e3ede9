/** What every step of a grade needs: the task, the compiler, the machine, and the cache. */
import type { Task } from "../model/task.ts";
import type { Machine } from "../sandbox/machine.ts";
import type { CalibrationState } from "../task/certificate.ts";
import type { Cache } from "./cache.ts";
import type { Toolchain } from "./toolchain.ts";

export interface GradeContext {
  readonly task: Task;
  readonly toolchain: Toolchain;
  /** Whether the task was calibrated as it is now, with this compiler. */
  readonly calibration: CalibrationState;
  readonly machine: Machine;
  readonly cache: Cache;
  /** Many patches will follow, so that what pays off only then is made at once. */
  readonly many: boolean;
  /** Answer a patch that was graded before from its record. */
  readonly reuseRecords: boolean;
  /** The task itself is in question: what its own reference fails is a verdict, too, and no fault. */
  readonly calibrating?: boolean;
  /** Called with what is being done, for progress on a terminal. */
  readonly onStep?: (what: string) => void;
}
