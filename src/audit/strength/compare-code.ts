/** Which mutants compile to the reference's own code, or to the same code as each other. */
import pLimit, { type LimitFunction } from "p-limit";
import type { GradeContext } from "../../grade/context.ts";
import { compileEnv } from "../../grade/kit.ts";
import { type FileTree, isHeader, isUnit, type Task } from "../../model/task.ts";
import { systemBinds } from "../../sandbox/sandbox.ts";
import { findBodies } from "../mutate/bodies.ts";
import { applyEdits, applyMutant, type Body, type Edit, type Mutant } from "../mutate/mutant.ts";
import { codeByCopy, namespaceOf } from "./assembly.ts";
import { type FlatUnit, flatten } from "./flatten.ts";
import { loneBody } from "./lone-body.ts";
import { chunksOf } from "./plan-builds.ts";

/** What a mutant compiles to, optimised and without sanitizers. */
export interface Code {
  readonly digest: string;
  /** Whether it is the reference's. */
  readonly isReference: boolean;
}

/** Copies in one compile; a copy of the bounded queue then takes 12 ms of CPU time, against 150 alone. */
const perCompile = 40;

/**
 * The code of each mutant; `count` is told how many there are to look at, and of each lot when it is done. Where
 * nothing can be said, there is none: a unit that doesn't compile as a copy in a namespace, a compiler other than GCC,
 * a template that nothing instantiates, or one of a header that seems unchanged, which a test may instantiate for other
 * types.
 */
export async function compareCode(
  context: GradeContext,
  files: FileTree,
  mutants: readonly Mutant[],
  survivors: ReadonlySet<Mutant>,
  count: (done: number, more: number) => void,
): Promise<Map<Mutant, Code>> {
  if (context.toolchain.family !== "gcc" || mutants.length === 0) return new Map();
  const all = new Map([...context.task.headers, ...files]);
  const units = unitsOf(all, context.task);
  const bodies = await findBodies(files);
  const limit = pLimit(context.machine.jobs + 1);
  const known = await Promise.all(
    units.map((unit) => {
      const here = mutants.filter(({ file }) => unit.files.has(file));
      count(0, here.length);
      const open = new Set(here);
      const onDone = (done: readonly Mutant[]) =>
        count(done.filter((mutant) => open.delete(mutant)).length, 0);
      return compareUnit({ context, files: all, bodies, unit, limit, survivors, onDone }, here);
    }),
  );
  return combine(mutants, units, known);
}

interface Unit extends FlatUnit {
  readonly path: string;
  readonly flags: readonly string[];
}

/** Every unit under the flags of every target, as a grade compiles them; where there are none, one that includes every header. */
function unitsOf(files: FileTree, { includeDirs, layers }: Task): Unit[] {
  const units = [...files.keys()].filter(isUnit);
  const paths = units.length > 0 ? units : [headersOnly];
  const flags = [...layers.visible, ...layers.hidden].map(({ cxxflags }) => compareFlags(cxxflags));
  const distinct = [...new Map(flags.map((each) => [each.join("\0"), each])).values()];
  return paths.flatMap((path) => {
    const flat = flatten(path, withHeadersOnly(files), includeDirs);
    return distinct.map((each) => ({ path, flags: each, ...flat }));
  });
}

const headersOnly = "every-header.cpp";

function withHeadersOnly(files: FileTree): FileTree {
  const includes = [...files.keys()].filter(isHeader).map((path) => `#include "${path}"\n`);
  return new Map(files).set(headersOnly, includes.join(""));
}

/** What one unit says of a mutant; `isSeen`: whether its code shows at all what was changed. */
interface UnitCode extends Code {
  readonly isSeen: boolean;
}

interface Comparison {
  readonly context: GradeContext;
  readonly files: FileTree;
  readonly bodies: readonly Body[];
  readonly unit: Unit;
  readonly limit: LimitFunction;
  readonly survivors: ReadonlySet<Mutant>;
  /** Told of what is done, of some more than once. */
  readonly onDone: (mutants: readonly Mutant[]) => void;
}

/**
 * One unit's answers: by single functions, which takes a fraction of the time, and by all there is for what can't be
 * told so. Survivors that seem changed are among these: a helper and all of its callers may come to the same program.
 */
async function compareUnit(
  comparison: Comparison,
  mutants: readonly Mutant[],
): Promise<ReadonlyMap<Mutant, UnitCode>> {
  const lone = await compareLone(comparison, mutants);
  const open = mutants.filter((mutant) => {
    const code = lone.get(mutant);
    return code === undefined || (!code.isReference && comparison.survivors.has(mutant));
  });
  const whole = await inChunks(comparison, open, async (chunk) => {
    const codes = await compareWhole(comparison, chunk);
    comparison.onDone(chunk);
    return [...codes];
  });
  return new Map([...lone, ...whole.filter(([mutant, { isSeen }]) => isSeen || !lone.has(mutant))]);
}

async function inChunks<T, R>(
  { limit }: Comparison,
  items: readonly T[],
  work: (chunk: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const chunks = chunksOf(items, perCompile).map((chunk) => limit(() => work(chunk)));
  return (await Promise.all(chunks)).flat();
}

/** A function that a mutant changes. */
interface Site {
  readonly mutant: Mutant;
  readonly body: Body;
}

/**
 * By the code of each function that is changed: where that is the reference's, so is what the program does. Mutants
 * that change something else, or a function that can't be had by itself, are left out.
 */
async function compareLone(
  comparison: Comparison,
  mutants: readonly Mutant[],
): Promise<Map<Mutant, UnitCode>> {
  const sites = mutants.flatMap((mutant) => sitesOf(mutant, comparison.bodies));
  // Neighbours share the copies that they are held against.
  sites.sort((a, b) => a.body.start - b.body.start);
  const found = await inChunks(comparison, sites, (chunk) => compareSites(comparison, chunk));
  const byMutant = new Map<Mutant, string[]>();
  for (const { mutant, changed } of found) byMutant.set(mutant, [...(byMutant.get(mutant) ?? []), changed]);
  return new Map(
    [...byMutant].flatMap(([mutant, codes]): [Mutant, UnitCode][] => {
      if (codes.length !== sitesOf(mutant, comparison.bodies).length) return [];
      const digest = codes
        .filter((code) => code !== "")
        .sort()
        .join(" ");
      return [[mutant, unitCode(mutant, comparison.bodies, { digest, reference: "", isCompiled: true })]];
    }),
  );
}

/** The functions that a mutant changes; none where it changes something else too. */
function sitesOf(mutant: Mutant, bodies: readonly Body[]): Site[] {
  const around = mutant.edits.map(({ start, end }) =>
    bodies.find((body) => body.file === mutant.file && body.from <= start && end <= body.end),
  );
  const distinct = [...new Set(around)];
  return distinct.every((body) => body?.switchable)
    ? distinct.flatMap((body) => (body ? [{ mutant, body }] : []))
    : [];
}

/** The digest of each function's code as the mutant changes it, empty where it is the reference's. */
async function compareSites(
  { context, files, bodies, unit, onDone }: Comparison,
  sites: readonly Site[],
): Promise<(Site & { readonly changed: string })[]> {
  const distinct = [...new Set(sites.map(({ body }) => body))];
  const copyOf = (body: Body, edits: readonly Edit[]) => loneBody(files, bodies, body, edits);
  const flags = unit.flags.filter((flag) => flag !== keepInline);
  const assembly = await assemble(context, { ...unit, flags }, [
    ...distinct.flatMap((body) => [copyOf(body, []), copyOf(body, [plantIn(body)])]),
    ...sites.map(({ body, mutant }) => copyOf(body, mutant.edits)),
  ]);
  const code = codeByCopy(assembly ?? "");
  const references = new Map(distinct.map((body, i) => [body, code.get(2 * i)]));
  const seen = new Set(distinct.filter((_, i) => code.get(2 * i) !== code.get(2 * i + 1)));
  onDone(sites.flatMap(({ body, mutant }) => (seen.has(body) ? [mutant] : [])));
  return sites.flatMap((site, i) => {
    const own = code.get(2 * distinct.length + i) ?? "";
    return seen.has(site.body) ? [{ ...site, changed: own === references.get(site.body) ? "" : own }] : [];
  });
}

function distinctBodies(mutants: readonly Mutant[]): Body[] {
  const bodies = mutants.flatMap(({ body }) => (body?.switchable ? [body] : []));
  return [...new Map(bodies.map((body) => [keyOf(body), body])).values()];
}

function keyOf({ file, start }: Body): string {
  return `${file}:${start}`;
}

async function compareWhole(
  { context, files, bodies, unit }: Comparison,
  mutants: readonly Mutant[],
): Promise<Map<Mutant, UnitCode>> {
  const distinct = distinctBodies(mutants);
  const assembly = await assemble(context, unit, [
    files,
    ...mutants.map((mutant) => applyMutant(files, mutant)),
    ...distinct.map((body) => planted(files, body)),
  ]);
  if (assembly === null) return new Map();
  const code = codeByCopy(assembly);
  const reference = code.get(0) ?? "";
  // Of several units' initialisers at start-up the compiler makes one function, which belongs to no copy.
  const hasStartUp = /_GLOBAL__sub_I_|__static_initialization_and_destruction/.test(assembly);
  const seenBodies = new Set(
    distinct.flatMap((body, i) =>
      (code.get(mutants.length + 1 + i) ?? "") === reference ? [] : [keyOf(body)],
    ),
  );
  return new Map(
    mutants.map((mutant, i) => {
      const isCompiled = mutant.body?.switchable
        ? seenBodies.has(keyOf(mutant.body))
        : !hasStartUp && !/\b(template|constexpr|consteval)\b/.test(files.get(mutant.file) ?? "");
      return [mutant, unitCode(mutant, bodies, { digest: code.get(i + 1) ?? "", reference, isCompiled })];
    }),
  );
}

function unitCode(
  mutant: Mutant,
  bodies: readonly Body[],
  { digest, reference, isCompiled }: { digest: string; reference: string; isCompiled: boolean },
): UnitCode {
  const isReference = digest === reference;
  const isSeen = isCompiled && (!isReference || isUnit(mutant.file) || isOwnCode(mutant, bodies));
  return { digest: isReference ? "" : digest, isReference, isSeen };
}

/**
 * Whether the units of the sources compile all that a header's mutant changes. What stands there outside of functions
 * (initialisers of members, default arguments, constants), and templates, is compiled by whoever uses it, tests among them.
 */
function isOwnCode({ file, edits }: Mutant, bodies: readonly Body[]): boolean {
  const own = bodies.filter((body) => body.file === file && !body.isTemplate);
  return edits.every(({ start, end }) => own.some((body) => body.from <= start && end <= body.end));
}

/** The reference with an instruction of ours in a body: if that doesn't show in the code, the body doesn't. */
function planted(files: FileTree, body: Body): FileTree {
  return new Map(files).set(body.file, applyEdits(files.get(body.file) ?? "", [plantIn(body)]));
}

function plantIn({ start }: Body): Edit {
  return { start: start + 1, end: start + 1, text: ' asm volatile("nop"); ' };
}

/** All copies, each in a namespace of its own, as assembler text; null when they don't compile like that. */
async function assemble(
  context: GradeContext,
  unit: Unit,
  copies: readonly FileTree[],
): Promise<string | null> {
  const { task, toolchain, machine } = context;
  const texts = copies.map((copy, i) => {
    const tree = unit.path === headersOnly ? withHeadersOnly(copy) : copy;
    return `namespace ${namespaceOf(i)} {\n${flatten(unit.path, tree, task.includeDirs).text}}\n`;
  });
  const includes = unit.system.map((name) => `#include <${name}>\n`);
  const result = await machine.run({
    argv: [toolchain.compiler, ...unit.flags],
    binds: systemBinds().binds,
    cwd: "/",
    env: compileEnv,
    tmpBytes: 1 << 30,
    keepBytes: 256 << 20,
    wallMs: task.manifest.limits.compileSeconds * 4000 + 30_000,
    kernelLimits: { cpuSeconds: task.manifest.limits.compileSeconds },
    stdin: Buffer.from([...includes, ...texts].join(""), "latin1"),
  });
  return result.innerCode === 0 ? result.stdout.text : null;
}

const keepInline = "-fkeep-inline-functions";

/** The task's language, optimised, with every inline function kept and nothing shared between copies. */
function compareFlags(cxxflags: readonly string[]): string[] {
  const kept = cxxflags.filter((flag) => !/^-(?:O|g|fsanitize|W|fno-sanitize)/.test(flag));
  const own = ["-O2", "-g0", "-w", "-fno-ipa-icf", keepInline, "--param=inline-unit-growth=1000"];
  return [...kept, ...own, "-D_GLIBCXX_ASSERTIONS", "-S", "-x", "c++", "-", "-o", "-"];
}

/** A mutant has a code where every unit that holds it could say one, and some unit shows what was changed. */
function combine(
  mutants: readonly Mutant[],
  units: readonly Unit[],
  known: readonly ReadonlyMap<Mutant, UnitCode>[],
): Map<Mutant, Code> {
  const codes = new Map<Mutant, Code>();
  for (const mutant of mutants) {
    const expected = units.filter(({ files }) => files.has(mutant.file)).length;
    const said = known.flatMap((unit) => unit.get(mutant) ?? []);
    if (said.length !== expected || expected === 0 || !said.some(({ isSeen }) => isSeen)) continue;
    const digest = said.map((code) => code.digest).join(" ");
    codes.set(mutant, { digest, isReference: said.every(({ isReference }) => isReference) });
  }
  return codes;
}
