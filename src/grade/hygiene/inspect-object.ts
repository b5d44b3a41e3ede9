/** Runs stage C: facts of the candidate and of the tests' objects against those of the baseline, which are kept. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CandidateFlags } from "../../model/build-plan.ts";
import type { FileTree, Target } from "../../model/task.ts";
import { runBuildStep } from "../build-step.ts";
import { digestOf } from "../cache.ts";
import { buildCandidate, type CandidateObject, type LaidTree } from "../candidate.ts";
import type { GradeContext } from "../context.ts";
import { readElf } from "../elf.ts";
import { type Kit, openKit } from "../kit.ts";
import { type BuiltCandidate, layTree } from "../prepare.ts";
import { recordedTree } from "../recorded.ts";
import { testFlagsOf } from "../test-flags.ts";
import { buildTest, type TestObject } from "../test-object.ts";
import { factsOf, newInObject, type ObjectFacts, systemCallsIn } from "./objects.ts";
import type { Hit } from "./source-rule.ts";
import { disassemble } from "./steps.ts";

/** Changes whenever facts that are kept would be made differently. */
export const factsEpoch = "4";

interface KeptFacts extends ObjectFacts {
  readonly systemCalls: number;
}

const none: KeptFacts = {
  asked: [],
  defined: [],
  sections: [],
  dynamic: [],
  hasIndirectRelocations: false,
  callBytes: 0,
  systemCalls: 0,
};

/** Names a tree and what it was compiled with, for keys of the cache. */
export function treeKey(
  what: string,
  kit: Kit,
  flags: CandidateFlags,
  ...trees: readonly FileTree[]
): string {
  const files = trees.flatMap((tree) => [...tree].sort(([a], [b]) => (a < b ? -1 : 1)).flat());
  return digestOf(
    factsEpoch,
    what,
    kit.digest,
    flags.compiler,
    ...flags.cxxflags,
    "",
    ...flags.includeDirs,
    "",
    ...files,
  );
}

/** What the candidate's object asks for, offers or holds beyond the baseline's. */
export async function inspectObject(context: GradeContext, built: BuiltCandidate): Promise<Hit[]> {
  const after = factsOf(built.candidate.elf);
  // What is no finding against nothing is none against the baseline, which need not be built then.
  if (after.callBytes === 0 && compareObjects(built.kit, none, after).length === 0) return [];
  const before = await baselineFacts(context, built);
  const hits = compareObjects(built.kit, before, after);
  if (after.callBytes <= before.callBytes) return hits;
  const calls = await systemCalls(context, built.kit, built.candidate);
  if (calls <= before.systemCalls) return hits;
  return [
    ...hits,
    { kind: "asm", detail: "syscall", message: "an instruction that enters the kernel", line: 0 },
  ];
}

function compareObjects(kit: Kit, before: ObjectFacts, after: ObjectFacts): Hit[] {
  const had = new Set(before.defined.map(({ name }) => name));
  const mayClash = after.defined.some(({ name }) => !name.startsWith("_Z") && !had.has(name));
  const library = mayClash ? libraryNames(kit) : new Set<string>();
  return newInObject(before, after, (name) => library.has(name));
}

/** Facts of the baseline, built once; those of nothing where it can't be built. */
async function baselineFacts(context: GradeContext, { kit, flags }: BuiltCandidate): Promise<KeptFacts> {
  const { cache, task } = context;
  const key = treeKey("object", kit, flags, task.sources, task.headers);
  const folder = await cache.folder("hygiene", key, async (draft) => {
    const built = await buildCandidate(context, kit, flags, layTree(context, task.sources));
    const facts = built.built ? factsOf(built.value.elf) : none;
    const calls = built.built && facts.callBytes > 0 ? await systemCalls(context, kit, built.value) : 0;
    writeFileSync(
      join(draft, "facts.json"),
      JSON.stringify({ ...facts, systemCalls: calls } satisfies KeptFacts),
    );
  });
  return JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as KeptFacts;
}

/** Functions that the loader, the launcher and its libraries offer. */
function libraryNames(kit: Kit): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(kit.runFolder))
    for (const symbol of readElf(readFileSync(join(kit.runFolder, file))).symbols)
      if (symbol.defined && symbol.binding !== "local" && !symbol.name.startsWith("_Z"))
        names.add(symbol.name);
  return names;
}

/** The bytes of a system call may be part of a number: only a disassembly tells, and it is rarely needed. */
async function systemCalls(context: GradeContext, kit: Kit, object: CandidateObject): Promise<number> {
  const out = context.machine.newFolder("code");
  const more = [{ from: join(object.folder, "candidate.so"), to: "/i/candidate.so" }];
  const done = await runBuildStep(
    context.machine,
    kit,
    disassemble(),
    { out, more },
    context.task.manifest.limits,
  );
  // What can't be disassembled can't be called clean.
  if (!done.built) return Number.POSITIVE_INFINITY;
  return systemCallsIn(readFileSync(join(out, "code"), "latin1")).length;
}

/** What the tests' objects newly ask for with the patched headers: the code of inline functions and templates. */
export async function inspectTests(context: GradeContext, tree: LaidTree): Promise<Hit[]> {
  const { visible, hidden } = context.task.layers;
  const baseline = layTree(context, context.task.sources);
  const all = [...visible, ...hidden].map((target) => inspectTest(context, target, tree, baseline));
  return (await Promise.all(all)).flat();
}

async function inspectTest(
  context: GradeContext,
  target: Target,
  tree: LaidTree,
  baseline: LaidTree,
): Promise<Hit[]> {
  const { toolchain, machine, cache, task } = context;
  const kit = await openKit(toolchain, target.sanitizers, machine, cache);
  // The baseline's object is built as the patched one was: other levels ask for other symbols.
  const cxxflags = testFlagsOf(context, target, tree.files);
  const flags = { compiler: toolchain.compiler, includeDirs: task.includeDirs, cxxflags };
  const now = await buildTest(context, kit, target, flags, tree);
  if (!now.built) return [];
  let before = await buildTest(context, kit, target, flags, baseline);
  if (!before.built && task.reference)
    before = await buildTest(
      context,
      kit,
      target,
      flags,
      layTree(context, recordedTree(task, task.reference)),
    );
  if (!before.built) return [];
  return compareTests(kit, before.value, now.value);
}

function compareTests(kit: Kit, before: TestObject, now: TestObject): Hit[] {
  const mayClash = now.strong.some((name) => !name.startsWith("_Z") && !before.strong.includes(name));
  const library = mayClash ? libraryNames(kit) : new Set<string>();
  return newInObject(testFacts(before), testFacts(now), (name) => library.has(name));
}

/** Of a test's object: what it asks for, and what its units define for all. */
function testFacts(test: TestObject): ObjectFacts {
  const defined = test.strong.map((name) => ({ name, binding: "global", type: "function" }) as const);
  return { ...none, asked: factsOf(readElf(readFileSync(test.fullPath))).asked, defined };
}
