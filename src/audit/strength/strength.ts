/** How much of what could go wrong the oracle sees: mutants of the reference, judged by both layers. */
import type { GradeContext } from "../../grade/context.ts";
import { recordedTree } from "../../grade/recorded.ts";
import { assertSupported } from "../../grade/supported.ts";
import { GraderError } from "../../model/errors.ts";
import {
  type MutantFate,
  type SoundnessCheck,
  type StrengthFinding,
  type StrengthReport,
  scoreOf,
} from "../../model/strength.ts";
import type { FileTree, Task } from "../../model/task.ts";
import { findBodies } from "../mutate/bodies.ts";
import { generateMutants } from "../mutate/generate.ts";
import { horizonProbes } from "../mutate/horizon.ts";
import type { Mutant } from "../mutate/mutant.ts";
import { type Code, compareCode } from "./compare-code.ts";
import { describeMutant } from "./describe.ts";
import { type Fate, passesVisible } from "./fate.ts";
import { measureHorizons } from "./horizon.ts";
import { judgeMutants } from "./judge-mutants.ts";
import { rememberStrength } from "./last-strength.ts";
import { MutantStore } from "./mutant-store.ts";
import { settle } from "./settle.ts";
import { checkSoundness } from "./soundness.ts";
import { needlessWaivers, staleWaivers, waive } from "./waivers.ts";

export interface StrengthOptions {
  /** Judge no more than so many mutants, the most telling first, and no horizons. */
  readonly limit?: number;
  /** Fail below this many percent. */
  readonly min?: number;
  /** Called with how many mutants are judged, of how many; probes of horizons come on top later. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Measures a task's oracle.
 *
 * @throws GraderError 65 when the task has no reference or that doesn't pass; as `grade` does besides.
 */
export async function measureStrength(
  context: GradeContext,
  options: StrengthOptions = {},
): Promise<StrengthReport> {
  const started = performance.now();
  const { task } = context;
  assertSupported(task);
  const files = referenceOf(task);
  const soundness = await checkSoundness(context);
  const mutants = await generateMutants(requestOf(task, files, options.limit));
  const count = counter(options.onProgress);
  const fates = await judged(context, files, mutants, count);
  const codes = await codesOf(context, files, mutants, fates, count);
  const settled = waive(settle(mutants, fates, codes), task.manifest.waivers);
  const { horizons, probes } =
    options.limit === undefined ? await horizonsOf(context, files, count) : { horizons: [], probes: 0 };
  const score = scoreOf([...settled.values()]);
  const report: StrengthReport = {
    schemaVersion: 1,
    task: { id: task.id, digest: task.digest },
    compiler: context.toolchain.version,
    score,
    mutants: mutants.map((mutant) => describeMutant(files, mutant, fateOf(settled, mutant))),
    horizons,
    probes,
    soundness,
    findings: [
      ...soundness.flatMap(overSpecifies),
      // Of a part of the mutants nobody can say which ones there are.
      ...(options.limit === undefined ? staleWaivers(mutants, task.manifest.waivers) : []),
      ...scoreFindings(score.strength, options.min),
    ],
    notes: [...needlessWaivers(settled, task.manifest.waivers), ...codeNotes(context, fates, codes)],
    sources: Object.fromEntries(files),
    durationMs: Math.round(performance.now() - started),
  };
  if (options.limit === undefined) rememberStrength(context, report);
  return report;
}

function referenceOf(task: Task): FileTree {
  if (task.reference !== undefined) return recordedTree(task, task.reference);
  throw new GraderError(65, `strength needs a reference · ${task.manifestPath} names none`, {
    hint: 'record a correct patch and name it as "reference" in the manifest',
  });
}

function requestOf(task: Task, files: FileTree, limit: number | undefined) {
  const visible = task.layers.visible.flatMap(({ sources }) => sources.map(({ text }) => text));
  return { files, visible, ...(limit === undefined ? {} : { limit }) };
}

async function horizonsOf(context: GradeContext, files: FileTree, count: ReturnType<typeof counter>) {
  const known = await horizonProbes(files, await findBodies(files));
  let probes = 0;
  const horizons = await measureHorizons(known, (mutants) => {
    probes += mutants.length;
    return judged(context, files, mutants, count);
  });
  return { horizons, probes };
}

function counter(onProgress: StrengthOptions["onProgress"]) {
  let [done, total] = [0, 0];
  return (judgedNow: number, more: number) => {
    done += judgedNow;
    total += more;
    onProgress?.(done, total);
  };
}

async function judged(
  context: GradeContext,
  files: FileTree,
  mutants: readonly Mutant[],
  count: ReturnType<typeof counter>,
): Promise<Map<Mutant, Fate>> {
  const store = new MutantStore<Fate>(context, files, "fates", context.reuseRecords);
  count(0, mutants.length);
  return judgeMutants(context, files, mutants, { store, onJudged: (done) => count(done, 0) });
}

/** Code only where it matters: of mutants that the visible layer lets through. */
async function codesOf(
  context: GradeContext,
  files: FileTree,
  mutants: readonly Mutant[],
  fates: ReadonlyMap<Mutant, Fate>,
  count: ReturnType<typeof counter>,
): Promise<Map<Mutant, Code>> {
  const store = new MutantStore<Code | null>(context, files, "codes", context.reuseRecords);
  const wanted = mutants.filter((mutant) => {
    const fate = fates.get(mutant);
    return fate !== undefined && passesVisible(fate);
  });
  const open = wanted.filter((mutant) => store.get(mutant) === undefined);
  const survivors = new Set(open.filter((mutant) => fates.get(mutant)?.status === "survived"));
  const found = await compareCode(context, files, open, survivors, count);
  for (const mutant of open) store.set(mutant, found.get(mutant) ?? null);
  store.flush();
  return new Map(
    wanted.flatMap((mutant): [Mutant, Code][] => {
      const code = store.get(mutant);
      return code ? [[mutant, code]] : [];
    }),
  );
}

function fateOf(settled: ReadonlyMap<Mutant, MutantFate>, mutant: Mutant): MutantFate {
  const fate = settled.get(mutant);
  if (fate === undefined) throw new Error(`mutant ${mutant.id} was not judged`);
  return fate;
}

function overSpecifies({ patch, role, verdict, why }: SoundnessCheck): StrengthFinding[] {
  if (verdict === "PASS") return [];
  const got = `${verdict ?? "not graded"}${why === undefined ? "" : ` (${why})`}`;
  return [
    { kind: "over-specifies", message: `the ${role} ${patch} gets ${got}: the oracle asks for too much` },
  ];
}

function scoreFindings(strength: number | null, min: number | undefined): StrengthFinding[] {
  if (strength === null)
    return [{ kind: "empty-universe", message: "no mutant passes the visible layer: nothing was measured" }];
  if (min === undefined || strength * 100 >= min) return [];
  return [{ kind: "below-minimum", message: `the strength is below ${min} %` }];
}

function codeNotes(
  context: GradeContext,
  fates: ReadonlyMap<Mutant, Fate>,
  codes: ReadonlyMap<Mutant, Code>,
): string[] {
  if (context.toolchain.family !== "gcc")
    return ["equivalent and duplicate mutants were not looked for: that needs GCC"];
  const unknown = [...fates].filter(([mutant, fate]) => passesVisible(fate) && !codes.has(mutant)).length;
  return unknown === 0 ? [] : [`of ${unknown} mutants the code could not be compared with the others'`];
}
