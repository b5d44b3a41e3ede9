/** How test units are compiled: their optimiser is spared where its work would be thrown away at once. */
import { type FileTree, isUnit, type Target } from "../model/task.ts";
import type { GradeContext } from "./context.ts";

/**
 * The flags of a target's own units under a tree. Where a header changed, the object serves this one candidate, and
 * optimising it takes longer than it saves: such units are compiled with `-O0`, if the manifest leaves the level
 * open and the calibration has found the target far from its limits, so that it can afford to be slower.
 */
export function testFlagsOf(
  { task, calibration }: Pick<GradeContext, "task" | "calibration">,
  { name, cxxflags, testFlags }: Target,
  files: FileTree,
): readonly string[] {
  const isQuick = calibration.status === "fresh" && calibration.certificate.quick.includes(name);
  if (!isQuick) return testFlags;
  const level = testFlags.findIndex((flag, i) => flag === "-Og" && cxxflags[i] === "-O1");
  const changes = [...files].some(
    ([path, text]) => !isUnit(path) && !task.headers.has(path) && task.sources.get(path) !== text,
  );
  return level < 0 || !changes ? testFlags : testFlags.with(level, "-O0");
}
