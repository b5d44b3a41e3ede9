/** Lays the patched tree and builds everything that both layers need; nothing of the candidate runs here. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CandidateFlags, candidateFlagsOf } from "../model/build-plan.ts";
import { GraderError } from "../model/errors.ts";
import type { LayerName } from "../model/manifest.ts";
import type { LayerOutcome } from "../model/outcome.ts";
import type { FileTree, Target, Task } from "../model/task.ts";
import { innerFilter, outerFilter } from "../sandbox/seccomp.ts";
import type { Built } from "./build-step.ts";
import { buildCandidate, type CandidateObject, type LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { strongNames } from "./elf.ts";
import { buildServer } from "./isolation/build-server.ts";
import { openRemote, testNeedsMore } from "./isolation/remote.ts";
import { type Kit, openKit } from "./kit.ts";
import { recordedTree } from "./recorded.ts";
import type { ReadyTarget, RunFilters } from "./run-test.ts";
import { testFlagsOf } from "./test-flags.ts";
import { buildTest, type TestObject } from "./test-object.ts";

/** A layer that can be run, or the outcome that its build already decided. */
export type PreparedLayer =
  | { readonly status: "ready"; readonly targets: readonly ReadyTarget[] }
  | { readonly status: "decided"; readonly outcome: LayerOutcome };

/** Writes the sources, as patched, and the task's other headers: never a test, an oracle or the manifest. */
export function layTree(context: GradeContext, sources: FileTree): LaidTree {
  const files = new Map([...context.task.headers, ...sources]);
  const folder = context.machine.newFolder("tree");
  try {
    for (const dir of context.task.includeDirs) mkdirSync(join(folder, dir), { recursive: true });
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { encoding: "latin1", flag: "wx" });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EIO"].includes(code)) throw error;
    throw new GraderError(75, `cannot write the work folder ${folder} · ${code}`, {
      hint: "free space there, or set TMPDIR to another disk",
      cause: error,
    });
  }
  return { files, folder };
}

/** A candidate's object and what it was built with. */
export interface BuiltCandidate {
  readonly candidate: CandidateObject;
  readonly kit: Kit;
  readonly flags: CandidateFlags;
}

/** Everything that a grade runs, and every object of the candidate, to be looked at before that. */
export interface Preparation {
  readonly layers: ReadonlyMap<LayerName, PreparedLayer>;
  readonly candidates: readonly BuiltCandidate[];
  /** Those of them that the visible layer runs. */
  readonly shown: readonly BuiltCandidate[];
}

/** What the targets of one grade share. */
interface Workshop {
  readonly context: GradeContext;
  readonly tree: LaidTree;
  /** What the tests of a layer are compiled against. */
  readonly testsOf: (layer: LayerName) => LaidTree;
  readonly seed: number | undefined;
  readonly filters: RunFilters;
  /** By everything that an object depends on. */
  readonly candidates: Map<string, Promise<Built<BuiltCandidate>>>;
  /** Keys of the candidates that the visible layer runs. */
  readonly shown: Set<string>;
}

/**
 * Builds the candidate once per distinct set of flags and each target's test, side by side.
 *
 * @param testsOf What a layer's tests are compiled against where that is not the tree itself; see `filesForTests`.
 */
export async function prepareLayers(
  context: GradeContext,
  layers: readonly LayerName[],
  tree: LaidTree,
  seed: number | undefined,
  testsOf: (layer: LayerName) => LaidTree = () => tree,
): Promise<Preparation> {
  const workshop: Workshop = {
    context,
    tree,
    testsOf,
    seed,
    filters: runFilters(context.task),
    candidates: new Map(),
    shown: new Set(),
  };
  // The last layer's tests are the largest: whoever starts them first is done first.
  const prepared = await Promise.all(layers.toReversed().map((layer) => prepareLayer(workshop, layer)));
  const built = await Promise.all(
    [...workshop.candidates].map(async ([key, one]) => ({ key, one: await one })),
  );
  const candidates = built.flatMap(({ key, one }) => (one.built ? [{ key, value: one.value }] : []));
  return {
    layers: new Map(layers.map((layer, i) => [layer, prepared.at(-1 - i) as PreparedLayer])),
    candidates: candidates.map(({ value }) => value),
    shown: candidates.filter(({ key }) => workshop.shown.has(key)).map(({ value }) => value),
  };
}

async function prepareLayer(workshop: Workshop, layer: LayerName): Promise<PreparedLayer> {
  const started = performance.now();
  const targets = workshop.context.task.layers[layer];
  const built = await Promise.all(targets.map((target) => prepareTarget(workshop, target)));
  const failed = built.find((b) => !b.built);
  if (failed === undefined || failed.built)
    return { status: "ready", targets: built.flatMap((b) => (b.built ? [b.value] : [])) };
  const { cause, detail, findings } = failed;
  const durationMs = Math.round(performance.now() - started);
  return { status: "decided", outcome: { status: "fail", cause, detail, findings, durationMs, cpuMs: 0 } };
}

async function prepareTarget(workshop: Workshop, target: Target): Promise<Built<ReadyTarget>> {
  const { context, tree } = workshop;
  const tests = workshop.testsOf(target.layer);
  const { toolchain, machine, cache, task } = context;
  const kit = await openKit(toolchain, target.sanitizers, machine, cache);
  const common = { compiler: toolchain.compiler, includeDirs: task.includeDirs };
  const flags: CandidateFlags = { ...common, cxxflags: candidateFlagsOf(target.cxxflags) };
  const remote = target.isolation === "process" ? openRemote(task, target) : undefined;
  const building = shareCandidate(workshop, kit, flags, target);
  const serving = remote && buildServer(context, kit, flags, tree, remote.server, building);
  const testTree = remote ? layTree(context, remote.proxies) : tests;
  const testFlags = { ...common, cxxflags: testFlagsOf(context, target, tests.files) };
  const testing = buildTest(context, kit, target, testFlags, testTree);
  const [candidate, test, server] = await Promise.all([building, testing, serving]);
  if (remote && !test.built) throw testNeedsMore(target, test.detail);
  if (!candidate.built) return candidate;
  if (server && !server.built) return server;
  if (!test.built) {
    await assertTestBuildsSomewhere(context, kit, target);
    return test;
  }
  return joinObjects(workshop, target, candidate.value, test.value, server?.value);
}

/** The candidate built with these flags, by whichever target asked first. */
function shareCandidate(workshop: Workshop, kit: Kit, flags: CandidateFlags, { layer }: Target) {
  const key = [kit.digest, ...flags.cxxflags].join("\0");
  if (layer === "visible") workshop.shown.add(key);
  const known = workshop.candidates.get(key);
  if (known !== undefined) return known;
  const building = buildCandidate(workshop.context, kit, flags, workshop.tree).then(
    (built): Built<BuiltCandidate> =>
      built.built ? { built: true, value: { candidate: built.value, kit, flags } } : built,
  );
  workshop.candidates.set(key, building);
  return building;
}

/** What a plain link would refuse: one name defined by the candidate and by the test. */
function joinObjects(
  { seed, filters }: Workshop,
  target: Target,
  { candidate, kit }: BuiltCandidate,
  test: TestObject,
  server: string | undefined,
): Built<ReadyTarget> {
  const defined = strongNames(candidate.elf);
  const twice = server ? undefined : test.strong.find((name) => defined.has(name));
  if (twice !== undefined) {
    const detail = `multiple definition of ${twice}: the test defines it as well`;
    return { built: false, cause: "link-error", detail, findings: [] };
  }
  const more = {
    ...(seed === undefined || target.seed === false ? {} : { seed }),
    ...(server === undefined ? {} : { server }),
  };
  return { built: true, value: { target, kit, candidate: candidate.folder, test, filters, ...more } };
}

/** System calls that candidates may make; `fork`, `exec` and `network` among the manifest's `allow` add to them. */
function runFilters({ manifest }: Task): RunFilters {
  const allows = (what: string) => manifest.allow.includes(what);
  const network = allows("network");
  return {
    outer: outerFilter({ network }),
    inner: innerFilter({ network, allowFork: allows("fork"), allowExec: allows("exec") }),
  };
}

/**
 * A test that compiles against no known good or bad version of the sources is the task's fault.
 *
 * @throws GraderError 65
 */
async function assertTestBuildsSomewhere(context: GradeContext, kit: Kit, target: Target): Promise<void> {
  const flags = {
    compiler: context.toolchain.compiler,
    includeDirs: context.task.includeDirs,
    cxxflags: target.testFlags,
  };
  const versions = [
    context.task.sources,
    ...(context.task.reference ? [recordedTree(context.task, context.task.reference)] : []),
  ];
  let last = "";
  for (const sources of versions) {
    const built = await buildTest(context, kit, target, flags, layTree(context, sources));
    if (built.built) return;
    last = built.detail;
  }
  throw new GraderError(
    65,
    `${target.name} compiles neither against the baseline nor against the reference · ${last}`,
    {
      hint: "repair the test, or list the headers that it needs in the manifest's `include`",
    },
  );
}
