/** Runs stages B and D: what the patched headers do to test units, by the real preprocessor and compiler. */
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CandidateFlags } from "../../model/build-plan.ts";
import { type FileTree, isUnit, type Target } from "../../model/task.ts";
import type { Bind } from "../../sandbox/sandbox.ts";
import { type Built, runBuildStep } from "../build-step.ts";
import { digestOf } from "../cache.ts";
import type { LaidTree } from "../candidate.ts";
import type { GradeContext } from "../context.ts";
import { readElf } from "../elf.ts";
import { inside, type Kit, openKit } from "../kit.ts";
import { precompiledFor, precompiledName } from "../precompiled.ts";
import { layTree } from "../prepare.ts";
import { type Answer, answersIn, mayReplace } from "./answers.ts";
import { treeKey } from "./inspect-object.ts";
import { lex } from "./lexer.ts";
import { isMacroFree } from "./macro-free.ts";
import { type MacroFacts, macroFacts, newMacros } from "./macros.ts";
import { mostAfter, type Preprocessed, readPreprocessed, type TextSize } from "./preprocessed.ts";
import { type Probe, probeFile, probesFor, probeUnit } from "./signatures.ts";
import { type FileHit, type Hit, newHits } from "./source-rule.ts";
import { compileProbes, preprocessTest, preprocessUnit } from "./steps.ts";
import { hitsInExpanded, reachesTests, type Surroundings } from "./tokens.ts";

/** One distinct way in which a test unit is compiled. */
interface TestCompile {
  readonly kit: Kit;
  readonly flags: CandidateFlags;
  readonly unit: string;
  readonly limits: Target["limits"];
}

/** Macros that reach the tests, constructs that macros made, and signatures. */
export async function inspectHeaders(
  context: GradeContext,
  tree: LaidTree,
  around: Surroundings,
): Promise<FileHit[]> {
  const compiles = await testCompiles(context);
  const mentioned = new Set(compiles.flatMap(({ unit }) => wordsOf(unit)));
  const own = [...tree.files].filter(([path]) => !around.headers.has(path));
  const headers = new Map(own.filter(([path]) => reachesTests(path, tree.files, around)));
  const isPlain = isMacroFree(headers, mentioned, around);
  const macros = (isPlain ? [] : compiles).map((compile) =>
    inspectMacros(context, compile, tree, around, mentioned),
  );
  // In plain headers what a call gives doesn't depend on which test makes it: one unit asks for all.
  const signatures = compiles
    .slice(0, isPlain ? 1 : compiles.length)
    .map((compile) => inspectSignatures(context, compile, tree, compiles));
  return (await Promise.all([...macros, ...signatures])).flat();
}

async function testCompiles(context: GradeContext): Promise<TestCompile[]> {
  const { task, toolchain, machine, cache } = context;
  const found = new Map<string, TestCompile>();
  for (const target of [...task.layers.visible, ...task.layers.hidden]) {
    const kit = await openKit(toolchain, target.sanitizers, machine, cache);
    const flags = { compiler: toolchain.compiler, includeDirs: task.includeDirs, cxxflags: target.testFlags };
    for (const { unit } of target.sources)
      found.set(digestOf(kit.digest, ...flags.cxxflags, "", unit), {
        kit,
        flags,
        unit,
        limits: target.limits,
      });
  }
  return [...found.values()];
}

function wordsOf(unit: string): string[] {
  const { tokens, directives } = lex(unit);
  return [...tokens, ...directives.flatMap((d) => d.tokens)].flatMap((t) =>
    t.kind === "word" ? [t.text] : [],
  );
}

interface KeptReading {
  readonly facts: MacroFacts;
  readonly hits: readonly Hit[];
  readonly size: TextSize;
}

const noText: TextSize = { bytes: 0, ownBytes: 0, ownTokens: 0 };

async function inspectMacros(
  context: GradeContext,
  compile: TestCompile,
  tree: LaidTree,
  around: Surroundings,
  mentioned: ReadonlySet<string>,
): Promise<FileHit[]> {
  const before = await baselineReading(context, compile, around);
  const read = await preprocess(context, compile, tree, mostAfter(before.size));
  if (!read) return [];
  if (read === "too-large") return [tooLarge];
  return [
    ...newMacros(before.facts, read, mentioned),
    ...newHits(before.hits, expandedHits(read, tree.files, around)),
  ];
}

function expandedHits(read: Preprocessed, files: FileTree, around: Surroundings): FileHit[] {
  return [...read.own].flatMap(([path, text]) => hitsInExpanded(path, text, files, around));
}

async function baselineReading(
  context: GradeContext,
  compile: TestCompile,
  around: Surroundings,
): Promise<KeptReading> {
  const { cache, task } = context;
  const key = digestOf(
    treeKey("macros", compile.kit, compile.flags, task.sources, task.headers),
    compile.unit,
  );
  const kept = cache.readJson("hygiene", key) as KeptReading | undefined;
  if (kept) return kept;
  const tree = layTree(context, task.sources);
  const reading = await preprocess(context, compile, tree);
  const read = reading === "too-large" ? undefined : reading;
  const hits = read ? expandedHits(read, tree.files, around) : [];
  const facts = read ? macroFacts(read) : { macros: [], lost: [] };
  const made: KeptReading = { facts, hits, size: read?.size ?? noText };
  cache.writeJson("hygiene", key, made);
  return made;
}

/** What the preprocessor made; `undefined` where it fails: the tests will not build either. */
async function preprocess(
  context: GradeContext,
  compile: TestCompile,
  tree: LaidTree,
  most?: TextSize,
): Promise<Preprocessed | "too-large" | undefined> {
  const out = context.machine.newFolder("expanded");
  const done = await run(context, compile, preprocessTest(compile.flags), tree, out, compile.unit);
  return done.built ? readExpanded(out, tree, most) : undefined;
}

const tooLarge: FileHit = {
  kind: "macro",
  detail: "size",
  message: "the preprocessed text is too large to be read",
  file: "",
  line: 0,
};

/** What even a baseline isn't read beyond. */
const mostBytes = 64 * 1024 * 1024;

function readExpanded(out: string, tree: LaidTree, most?: TextSize): Preprocessed | "too-large" {
  const file = join(out, "expanded");
  if (statSync(file).size > Math.min(mostBytes, most?.bytes ?? mostBytes)) return "too-large";
  return readPreprocessed(readFileSync(file, "latin1"), (path) => tree.files.has(path), most);
}

function run(
  context: GradeContext,
  { kit, limits }: Pick<TestCompile, "kit" | "limits">,
  step: ReturnType<typeof preprocessTest>,
  tree: LaidTree,
  out: string,
  text: string,
  binds: readonly Bind[] = [],
): Promise<Built<null>> {
  const more = [{ from: kit.includeFolder, to: inside.include }, ...binds];
  const folders = { tree: tree.folder, out, more };
  return runBuildStep(context.machine, kit, step, folders, limits, Buffer.from(text, "latin1"));
}

/** The changed units of a tree after preprocessing, for patches that make code by macros. */
export async function inspectUnits(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
  around: Surroundings,
): Promise<FileHit[]> {
  const baseline = layTree(context, context.task.sources);
  const before = await unitHits(context, kit, flags, baseline, around);
  const after = await unitHits(context, kit, flags, tree, around, mostAfter(before.size));
  return newHits(before.hits, after.hits);
}

/** What units say after preprocessing, and the size of the largest; `most` is for a patch's alone. */
async function unitHits(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
  around: Surroundings,
  most?: TextSize,
): Promise<{ hits: FileHit[]; size: TextSize }> {
  const limits = context.task.manifest.limits;
  const units = [...tree.files.keys()].filter((path) => isUnit(path) && !around.headers.has(path));
  const all = units.map(async (unit) => {
    const out = context.machine.newFolder("expanded");
    const done = await runBuildStep(
      context.machine,
      kit,
      preprocessUnit(flags, unit),
      { tree: tree.folder, out },
      limits,
    );
    const read = done.built ? readExpanded(out, tree, most) : undefined;
    if (read === "too-large") return { hits: most ? [{ ...tooLarge, file: unit }] : [], size: noText };
    return { hits: read ? expandedHits(read, tree.files, around) : [], size: read?.size ?? noText };
  });
  const done = await Promise.all(all);
  const largest = (part: keyof TextSize) => done.reduce((most, { size }) => Math.max(most, size[part]), 0);
  const size = { bytes: largest("bytes"), ownBytes: largest("ownBytes"), ownTokens: largest("ownTokens") };
  return { hits: done.flatMap(({ hits }) => hits), size };
}

/** A probe and the type that the baseline answers with. */
interface Accepted extends Probe {
  readonly type: string;
}

async function inspectSignatures(
  context: GradeContext,
  compile: TestCompile,
  tree: LaidTree,
  callers: readonly TestCompile[],
): Promise<FileHit[]> {
  const accepted = await acceptedProbes(context, compile, callers);
  if (accepted.length === 0) return [];
  const answers = await ask(context, compile, tree, accepted, 6);
  const broken = accepted.filter(({ type }, n) => {
    const answer = answers.get(n);
    return answer !== undefined && !mayReplace(type, answer);
  });
  const named = new Map(broken.map(({ name, message }) => [name, message]));
  return [...named].map(([name, message]) => ({
    kind: "signature",
    detail: name,
    message,
    file: ownerOf(name, context),
    line: 0,
  }));
}

/** The header of the baseline that declares a probed name. */
function ownerOf(name: string, context: GradeContext): string {
  const word = name.replace(/\(.*$/, "").split("::").at(-1) ?? "";
  const headers = [...context.task.sources].filter(([path]) => !isUnit(path));
  return (headers.find(([, text]) => text.includes(word)) ?? headers[0] ?? [""])[0];
}

async function acceptedProbes(
  context: GradeContext,
  compile: TestCompile,
  callers: readonly TestCompile[],
): Promise<readonly Accepted[]> {
  const { cache, task } = context;
  const key = digestOf(
    treeKey("probes", compile.kit, compile.flags, task.sources, task.headers),
    ...callers.map(({ unit }) => unit),
  );
  const kept = cache.readJson("hygiene", key) as readonly Accepted[] | undefined;
  if (kept) return kept;
  const headers = [...task.sources].filter(([path]) => !isUnit(path));
  const found = callers.flatMap(({ unit }) => {
    const { tokens } = lex(unit);
    return headers.flatMap(([, text]) => probesFor(text, tokens));
  });
  const probes = [...new Map(found.map((probe) => [probe.text, probe])).values()];
  const answers =
    probes.length === 0
      ? new Map<number, Answer>()
      : await ask(context, compile, layTree(context, task.sources), probes, 12);
  const calls = new Map<string, Accepted>();
  for (const [n, probe] of probes.entries()) {
    const answer = answers.get(n);
    if (answer?.asDeclared && !calls.has(probe.call)) calls.set(probe.call, { ...probe, type: answer.type });
  }
  const accepted = [...calls.values()];
  cache.writeJson("hygiene", key, accepted);
  return accepted;
}

/** Compiles probes and reads their answers. Those that don't compile are left out, as often as `rounds` allows. */
async function ask(
  context: GradeContext,
  compile: TestCompile,
  tree: LaidTree,
  probes: readonly Probe[],
  rounds: number,
): Promise<ReadonlyMap<number, Answer>> {
  const open: (Probe | undefined)[] = [...probes];
  const { kit, flags, unit } = compile;
  const texts = { path: "test.cpp", baseline: unit, text: unit, forTests: true };
  const pch = await precompiledFor(context, kit, flags, texts, tree.files);
  const step = compileProbes(flags, pch && precompiledName);
  const salt = randomBytes(6).toString("hex");
  for (let round = 0; round < rounds && open.some((probe) => probe !== undefined); round++) {
    const out = context.machine.newFolder("probes");
    const text = probeUnit(compile.unit, open, salt);
    const done = await run(context, compile, step, tree, out, text, pch ? [pch.bind] : []);
    if (done.built) return answersIn(readElf(readFileSync(join(out, "probes.o"))), salt);
    const bad = done.findings.flatMap(({ file, line }) =>
      file === probeFile && line !== undefined ? [line - 1] : [],
    );
    // An error elsewhere is the header's own; the tests will show it.
    if (bad.length === 0) return new Map();
    for (const n of bad) open[n] = undefined;
  }
  return new Map();
}
