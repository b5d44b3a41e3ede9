/** Which mutants compile to the reference's own code, or to the same code as each other. */
import pLimit from "p-limit";
import type { GradeContext } from "../../grade/context.ts";
import { compileEnv } from "../../grade/kit.ts";
import { type FileTree, isHeader, isUnit, type Task } from "../../model/task.ts";
import { systemBinds } from "../../sandbox/sandbox.ts";
import { findBodies } from "../mutate/bodies.ts";
import { applyEdits, applyMutant, type Body, type Mutant } from "../mutate/mutant.ts";
import { codeByCopy, namespaceOf } from "./assembly.ts";
import { type FlatUnit, flatten } from "./flatten.ts";
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
  count: (done: number, more: number) => void,
): Promise<Map<Mutant, Code>> {
  if (context.toolchain.family !== "gcc" || mutants.length === 0) return new Map();
  const all = new Map([...context.task.headers, ...files]);
  const units = unitsOf(all, context.task);
  const bodies = await findBodies(files);
  const limit = pLimit(context.machine.jobs + 1);
  const known = await Promise.all(
    units.flatMap((unit) => {
      const here = mutants.filter(({ file }) => unit.files.has(file));
      count(0, here.length);
      return chunksOf(here, perCompile).map((chunk) =>
        limit(async () => {
          const code = await compareChunk(context, { files: all, bodies, unit }, chunk);
          count(chunk.length, 0);
          return code;
        }),
      );
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
  readonly files: FileTree;
  readonly bodies: readonly Body[];
  readonly unit: Unit;
}

async function compareChunk(
  context: GradeContext,
  { files, bodies: all, unit }: Comparison,
  mutants: readonly Mutant[],
): Promise<Map<Mutant, UnitCode>> {
  const bodies = [...new Set(mutants.flatMap(({ body }) => (body?.switchable ? [body] : [])))];
  const distinct = [...new Map(bodies.map((body) => [`${body.file}:${body.start}`, body])).values()];
  const copies = [
    files,
    ...mutants.map((mutant) => applyMutant(files, mutant)),
    ...distinct.map((body) => planted(files, body)),
  ];
  const assembly = await assemble(context, unit, copies);
  if (assembly === null) return new Map();
  const code = codeByCopy(assembly);
  const reference = code.get(0) ?? "";
  // Of several units' initialisers at start-up the compiler makes one function, which belongs to no copy.
  const hasStartUp = /_GLOBAL__sub_I_|__static_initialization_and_destruction/.test(assembly);
  const seenBodies = new Set(
    distinct.flatMap((body, i) =>
      (code.get(mutants.length + 1 + i) ?? "") === reference ? [] : [`${body.file}:${body.start}`],
    ),
  );
  return new Map(
    mutants.map((mutant, i) => {
      const digest = code.get(i + 1) ?? "";
      const isReference = digest === reference;
      const isCompiled = mutant.body?.switchable
        ? seenBodies.has(`${mutant.body.file}:${mutant.body.start}`)
        : !hasStartUp && !/\b(template|constexpr|consteval)\b/.test(files.get(mutant.file) ?? "");
      const isSeen = isCompiled && (!isReference || isUnit(mutant.file) || isOwnCode(mutant, all));
      return [mutant, { digest, isReference, isSeen }];
    }),
  );
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
  const edit = { start: body.start + 1, end: body.start + 1, text: ' asm volatile("nop"); ' };
  return new Map(files).set(body.file, applyEdits(files.get(body.file) ?? "", [edit]));
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

/** The task's language, optimised, with every inline function kept and nothing shared between copies. */
function compareFlags(cxxflags: readonly string[]): string[] {
  const kept = cxxflags.filter((flag) => !/^-(?:O|g|fsanitize|W|fno-sanitize)/.test(flag));
  const own = [
    "-O2",
    "-g0",
    "-w",
    "-fno-ipa-icf",
    "-fkeep-inline-functions",
    "--param=inline-unit-growth=1000",
  ];
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
