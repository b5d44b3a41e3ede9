/** Refuses tasks that ask for what this version can't do: graded without it, they would get a wrong word. */
import { GraderError } from "../model/errors.ts";
import type { Target, Task } from "../model/task.ts";

/** @throws GraderError 65 that names the first thing the task asks for in vain. */
export function assertSupported(task: Task): void {
  const { manifest } = task;
  const targets = Object.values(task.layers).flat();
  const missing =
    targets.map(missingOf).find((what) => what !== undefined) ??
    (manifest.build.kind === "direct" ? undefined : `build of kind "${manifest.build.kind}"`) ??
    (manifest.pkgConfig.length > 0 ? "pkgConfig" : undefined) ??
    (manifest.compilers.length > 1 ? "more than one of compilers" : undefined) ??
    (manifest.proof === "exact" && !task.reference ? 'proof "exact" without a reference' : undefined);
  if (missing === undefined) return;
  throw new GraderError(65, `the task asks for what this version can't do · ${missing}`, {
    hint: "leave it out of the manifest, or grade with a version that has it",
    location: { file: task.manifestPath, line: 1, column: 1 },
  });
}

function missingOf(target: Target): string | undefined {
  if (target.cases.length > 0) return `${target.name}: cases`;
  if (target.command !== undefined) return `${target.name}: command`;
  if (target.framework !== undefined && target.framework !== "none")
    return `${target.name}: framework ${target.framework}`;
  const other = target.sanitizers.find((name) => ["memory", "valgrind", "hwaddress"].includes(name));
  return other === undefined ? undefined : `${target.name}: sanitizer ${other}`;
}
