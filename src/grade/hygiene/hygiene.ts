/**
 * Hygiene: inspects a candidate against its baseline before anything of it runs. A finding makes the patch
 * `REJECTED` with reason `tampering`. What the baseline does already is no finding, nor what the manifest allows.
 * How each stage works, and how to add a rule: docs/hygiene.md.
 */
import type { Finding } from "../../model/outcome.ts";
import type { FileTree, Task } from "../../model/task.ts";
import type { LaidTree } from "../candidate.ts";
import type { GradeContext } from "../context.ts";
import type { BuiltCandidate } from "../prepare.ts";
import { inspectHeaders, inspectUnits } from "./inspect-headers.ts";
import { inspectObject, inspectTests } from "./inspect-object.ts";
import { located } from "./locate.ts";
import { type FileHit, findingOf, type Hit, withoutAllowed } from "./source-rule.ts";
import { headersDiffer, makesCodeByMacro, newInSources, type Surroundings } from "./tokens.ts";

const most = 20;

/** Stage A: the text of the sources alone. Needs no process; to be asked before anything is built. */
export function inspectSources(task: Task, sources: FileTree): Finding[] {
  return toReport(task, newInSources(task.sources, sources, surroundings(task))).map(findingOf);
}

/**
 * Stages B to D: what was built, and what the patched headers do to test units. For a patch that changes no header
 * and makes no code by macros this starts no process, once the baseline's facts are in the cache.
 */
export async function inspectBuilt(
  context: GradeContext,
  tree: LaidTree,
  built: readonly BuiltCandidate[],
): Promise<Finding[]> {
  const { task } = context;
  const around = surroundings(task);
  const sources = new Map([...tree.files].filter(([path]) => !task.headers.has(path)));
  const work: Promise<(Hit | FileHit)[]>[] = built.map((one) => inspectObject(context, one));
  const [first] = built;
  if (first && makesCodeByMacro(task.sources, sources, around))
    work.push(inspectUnits(context, first.kit, first.flags, tree, around));
  if (headersDiffer(task.sources, sources, around))
    work.push(inspectHeaders(context, tree, around), inspectTests(context, tree));
  const hits = toReport(task, (await Promise.all(work)).flat());
  return hits.map((hit) => findingOf(located(hit, task.sources, sources, around)));
}

function surroundings(task: Task): Surroundings {
  const { visible, hidden, reserve } = task.layers;
  const flags = [...visible, ...hidden, ...reserve].flatMap((target) => target.cxxflags);
  const rawStrings = !flags.some((flag) => /^-std=(c|gnu)\+\+(98|03)$/.test(flag));
  const targets = [...visible, ...hidden, ...reserve];
  const testUnits = targets.flatMap(({ sources }) => sources.map(({ unit }) => unit));
  return { headers: task.headers, includeDirs: task.includeDirs, rawStrings, testUnits };
}

/** Each thing once, what the manifest allows left out, at most as many as a reader wants to see. */
function toReport(task: Task, hits: readonly (Hit | FileHit)[]): (Hit | FileHit)[] {
  const once = new Map(hits.map((hit) => [JSON.stringify(hit), hit]));
  return withoutAllowed([...once.values()], task.manifest.allow).slice(0, most);
}
