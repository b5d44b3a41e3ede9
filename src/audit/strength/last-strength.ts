/** The last strength that was measured for a task, for those who only need the number. */

import { digestOf } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import type { StrengthReport, StrengthScore } from "../../model/strength.ts";

/** Keeps the score under the task and the compiler that it is true of. */
export function rememberStrength(context: GradeContext, report: StrengthReport): void {
  context.cache.writeJson("record", keyOf(context), report.score);
}

/** The score that was measured for this very task and compiler, or undefined. */
export function recallStrength(context: GradeContext): StrengthScore | undefined {
  return context.cache.readJson("record", keyOf(context)) as StrengthScore | undefined;
}

function keyOf({ task, toolchain }: GradeContext): string {
  return digestOf("strength", task.digest, toolchain.digest);
}
