/** Compiles a target's test units against the patched headers and links them; cached while no header changed. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type CandidateFlags, compileTestUnit, linkTest } from "../model/build-plan.ts";
import type { FileTree, Target, TestSource } from "../model/task.ts";
import { type Built, runBuildStep } from "./build-step.ts";
import { digestOf } from "./cache.ts";
import type { LaidTree } from "./candidate.ts";
import type { GradeContext } from "./context.ts";
import { type ElfFile, loadablePart, readElf, strongNames } from "./elf.ts";
import { compiledText } from "./header-text.ts";
import { withoutCandidate } from "./isolation/remote.ts";
import { inside, type Kit } from "./kit.ts";
import { dependenciesIn, precompiledFor, precompiledName, stamps } from "./precompiled.ts";
import { rememberReads } from "./test-tree.ts";

/** A test, ready to be loaded. */
export interface TestObject {
  /** Host path of what is loaded: see `loadablePart`. */
  readonly path: string;
  /** Host path of the same object with its symbols and line tables; never where a candidate runs. */
  readonly fullPath: string;
  /** Name of its one entry: new for each build. */
  readonly entry: string;
  /** Strong definitions of its units, `main` among them: a candidate may define none of them. */
  readonly strong: readonly string[];
  /** It knows the candidate's class by its proxy alone, and is to be run in a process of its own. */
  readonly isolated?: boolean;
}

interface Meta extends Omit<TestObject, "path" | "fullPath"> {
  readonly stamps: readonly (readonly [string, string])[];
}

/** The object for a target under a tree, from the cache if nothing that it includes has changed. */
export async function buildTest(
  context: GradeContext,
  kit: Kit,
  target: Target,
  flags: CandidateFlags,
  tree: LaidTree,
): Promise<Built<TestObject>> {
  const { cache, task } = context;
  const units = target.sources.map(({ unit }) => unit);
  // The names matter beside the contents: a new file may come first on the include path.
  const names = [...tree.files.keys()].sort();
  const ldflags = task.manifest.ldflags;
  const base = digestOf(
    kit.digest,
    ...flags.cxxflags,
    "",
    ...flags.includeDirs,
    "",
    ...ldflags,
    "",
    ...units,
    "",
    ...names,
    ...(target.isolation === "process" ? ["", "isolated"] : []),
  );
  for (const deps of knownDependencies(context, base)) {
    const key = contentKey(base, deps, tree.files);
    if (!cache.has("test", key)) continue;
    const object = openCached(cache.pathOf("test", key));
    if (object) return { built: true, value: object };
    cache.drop("test", key);
  }
  return compileAndKeep(context, kit, target, flags, tree, base);
}

function contentKey(base: string, deps: readonly string[], files: FileTree): string {
  // Of a name that make would write in another way, no list of dependencies can be trusted: all files count then.
  const isOdd = [...files.keys()].some((path) => !/^[\w./+-]*$/.test(path));
  const names = isOdd ? [...files.keys()].sort() : deps;
  return digestOf(base, ...names.flatMap((dep) => [dep, compiledText(files.get(dep) ?? "\0absent")]));
}

function knownDependencies(context: GradeContext, base: string): string[][] {
  return (context.cache.readJson("test", base) as string[][] | undefined) ?? [];
}

function openCached(folder: string): TestObject | undefined {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Meta;
  const now = stamps(meta.stamps.map(([file]) => file));
  if (!meta.stamps.every(([, stamp], i) => now[i]?.[1] === stamp)) return undefined;
  const { entry, strong, isolated } = meta;
  const paths = { path: join(folder, "test.so"), fullPath: join(folder, "full.so") };
  return { ...paths, entry, strong, ...(isolated ? { isolated } : {}) };
}

async function compileAndKeep(
  context: GradeContext,
  kit: Kit,
  target: Target,
  flags: CandidateFlags,
  tree: LaidTree,
  base: string,
): Promise<Built<TestObject>> {
  const compiled = await Promise.all(
    target.sources.map((source, i) => compileUnit(context, kit, target, flags, tree, source, i)),
  );
  const failed = compiled.find((unit) => !unit.built);
  if (failed && !failed.built) return failed;
  const objects = compiled.flatMap((unit) => (unit.built ? [unit.value] : []));
  const dependencies = [...new Set(objects.flatMap((o) => o.dependencies))];
  rememberReads(context, kit, target, tree.files, dependencies);
  const deps = [...new Set(dependencies.map(inTree))].filter((dep) => tree.files.has(dep)).sort();
  const words = wordsOf(deps.map((dep) => tree.files.get(dep) ?? ""));
  const linked = await link(context, kit, target, flags.compiler, objects, words);
  if (!linked.built) return linked;
  const key = contentKey(base, deps, tree.files);
  const folder = await context.cache.folder("test", key, async (draft) => {
    const full = readFileSync(join(linked.value.folder, "test.so"));
    writeFileSync(join(draft, "full.so"), full);
    writeFileSync(join(draft, "test.so"), loadablePart(full), { mode: 0o644 });
    const system = stamps(dependencies);
    const { folder: _folder, ...meta } = linked.value;
    writeFileSync(join(draft, "meta.json"), JSON.stringify({ ...meta, stamps: system } satisfies Meta));
  });
  remember(context, base, deps);
  const value = openCached(folder);
  if (!value) throw new Error("a test object changed while it was made");
  return { built: true, value };
}

/** The path in the tree of what a compiler calls `include/sub/../queue.hpp` or `/w/include/queue.hpp`. */
function inTree(dependency: string): string {
  return posix.normalize(dependency.replace(/^\/w\//, ""));
}

function remember(context: GradeContext, base: string, deps: string[]): void {
  const known = knownDependencies(context, base).filter((list) => list.join("\0") !== deps.join("\0"));
  context.cache.writeJson("test", base, [deps, ...known].slice(0, 8));
}

interface CompiledUnit {
  readonly object: string;
  readonly elf: ElfFile;
  readonly dependencies: readonly string[];
}

async function compileUnit(
  context: GradeContext,
  kit: Kit,
  target: Target,
  flags: CandidateFlags,
  tree: LaidTree,
  source: TestSource,
  index: number,
): Promise<Built<CompiledUnit>> {
  const { machine } = context;
  const out = machine.newFolder("test");
  const texts = { path: source.path, baseline: source.unit, text: source.unit, forTests: true };
  const pch = await precompiledFor(context, kit, flags, texts, tree.files);
  const step = compileTestUnit(flags, `${index}.o`, pch && precompiledName);
  const more = [{ from: kit.includeFolder, to: inside.include }, ...(pch ? [pch.bind] : [])];
  const folders = { tree: tree.folder, out, more };
  const built = await runBuildStep(
    machine,
    kit,
    step,
    folders,
    target.limits,
    Buffer.from(source.unit, "latin1"),
  );
  if (!built.built) return { ...built, findings: [], detail: namedDetail(built.detail, source) };
  const object = join(out, `${index}.o`);
  const dependencies = dependenciesIn(readFileSync(`${object}.d`, "latin1"));
  return { built: true, value: { object, elf: readElf(readFileSync(object)), dependencies } };
}

/** The compiler knows test files by neutral names; a maintainer wants the real ones. */
function namedDetail(detail: string, source: TestSource): string {
  return source.files.reduce((text, { name, path }) => text.replaceAll(name, path), detail);
}

async function link(
  context: GradeContext,
  kit: Kit,
  target: Target,
  compiler: string,
  units: readonly CompiledUnit[],
  words: ReadonlySet<string>,
): Promise<Built<Omit<TestObject, "path" | "fullPath"> & { folder: string }>> {
  const { machine } = context;
  const strong = [...new Set(units.flatMap(({ elf }) => [...strongNames(elf)]))].sort();
  if (!strong.includes("main"))
    return { built: false, cause: "link-error", detail: "the test's `main` is gone", findings: [] };
  const entry = `t${randomBytes(8).toString("hex")}`;
  const script = machine.newFolder("exports");
  writeFileSync(
    join(script, "exports"),
    exportScript(
      entry,
      units.map(({ elf }) => elf),
      words,
    ),
  );
  const out = machine.newFolder("linked");
  const binds = [
    { from: script, to: "/v" },
    { from: kit.supportFolder, to: inside.support },
    ...units.map(({ object }, i) => ({ from: object, to: `/i/${i}.o` })),
  ];
  const step = linkTest(
    compiler,
    units.map((_, i) => `${i}.o`),
    { name: entry, symbol: kit.entrySymbol },
    context.task.manifest.ldflags,
  );
  const isolated = target.isolation === "process";
  const alone = isolated ? withoutCandidate(step) : step;
  const built = await runBuildStep(machine, kit, alone, { out, more: binds }, target.limits);
  return built.built ? { built: true, value: { folder: out, entry, strong, isolated } } : built;
}

/**
 * What the candidate may see by name: the entry, and data that the language wants to be one object across the
 * program: inline variables and statics of inline functions that a file of the tree names, the library's, and
 * type information. Functions and whatever else is the test's own stay so.
 *
 * @param words Identifiers that occur in the files of the tree that the test includes.
 */
export function exportScript(entry: string, units: readonly ElfFile[], words: ReadonlySet<string>): string {
  const shared = units.flatMap((elf) =>
    elf.symbols.filter(
      (s) =>
        s.defined && (s.binding === "weak" || s.binding === "unique") && ["object", "tls"].includes(s.type),
    ),
  );
  const seen = shared.map((s) => s.name).filter((name) => isShared(name, words));
  const names = [entry, ...new Set(seen)].filter((name) => /^[\w.$]+$/.test(name));
  return `{\n  global:\n${names.map((name) => `    ${name};\n`).join("")}  local: *;\n};\n`;
}

function isShared(symbol: string, words: ReadonlySet<string>): boolean {
  if (/^_ZT[ISVT]|^_Z(GV)?(Z?N?K?St|ZNK?St)/.test(symbol)) return true;
  return identifiersIn(symbol).some((name) => words.has(name));
}

/** The source names in a mangled name; a plain name is its own. */
function identifiersIn(symbol: string): string[] {
  if (!symbol.startsWith("_Z")) return [symbol];
  const found: string[] = [];
  for (let at = 2; at < symbol.length; ) {
    const length = /^\d+/.exec(symbol.slice(at, at + 5))?.[0];
    if (length === undefined) at++;
    else {
      const start = at + length.length;
      found.push(symbol.slice(start, start + Number(length)));
      at = start + Number(length);
    }
  }
  return found;
}

function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
}
