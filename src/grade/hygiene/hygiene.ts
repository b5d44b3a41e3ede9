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
 * Stages B and D: what the patched headers do to test units. Needs nothing that was built, so it can be asked
 * meanwhile. For a patch that changes no header this starts no process.
 */
export async function inspectTree(context: GradeContext, tree: LaidTree): Promise<HeaderHits> {
  const around = surroundings(context.task);
  return changesHeaders(context.task, tree, around) ? inspectHeaders(context, tree, around) : [];
}

/**
 * What was built, and code that macros make. With what `inspectTree` found: everything but stage A. `tests` is what
 * tests were compiled against.
 * For a patch that changes no header and makes no code by macros this starts no process, once the baseline's facts
 * are in the cache.
 */
export async function inspectBuilt(
  context: GradeContext,
  tree: LaidTree,
  tests: LaidTree,
  built: readonly BuiltCandidate[],
  found: HeaderHits,
): Promise<Finding[]> {
  const { task } = context;
  const around = surroundings(task);
  const sources = ownFiles(task, tree);
  const work: Promise<(Hit | FileHit)[]>[] = built.map((one) => inspectObject(context, one));
  const [first] = built;
  if (first && makesCodeByMacro(task.sources, sources, around))
    work.push(inspectUnits(context, first.kit, first.flags, tree, around));
  work.push(Promise.resolve([...found]));
  if (changesHeaders(task, tests, around)) work.push(inspectTests(context, tests));
  const hits = toReport(task, (await Promise.all(work)).flat());
  return hits.map((hit) => findingOf(located(hit, task.sources, sources, around)));
}

/** What headers were found to do; to be handed to {@link inspectBuilt}. */
export type HeaderHits = readonly FileHit[];

function ownFiles(task: Task, tree: LaidTree): FileTree {
  return new Map([...tree.files].filter(([path]) => !task.headers.has(path)));
}

function changesHeaders(task: Task, tree: LaidTree, around: Surroundings): boolean {
  return headersDiffer(task.sources, ownFiles(task, tree), around);
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
