/** Everything of ours that is built once per compiler and set of sanitizers: launcher, gate, support, libraries. */
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { GraderError } from "../model/errors.ts";
import type { Machine } from "../sandbox/machine.ts";
import { type Bind, systemBinds } from "../sandbox/sandbox.ts";
import { type Cache, digestOf } from "./cache.ts";
import { readElf } from "./elf.ts";
import { packageFile } from "./package-file.ts";
import type { Toolchain } from "./toolchain.ts";

/** The kit's folders on the host. */
export interface Kit {
  /** Bound as `/b` where candidates run: launcher, gate, loader and the libraries, nothing else. */
  readonly runFolder: string;
  /** Bound as `/k` in every build: what a candidate is linked with, and nothing that knows the tests. */
  readonly buildFolder: string;
  /** Bound as `/h` where test units are compiled: the counting `<cassert>`. */
  readonly includeFolder: string;
  /** Bound as `/s` where tests are linked; holds the canary as well. */
  readonly supportFolder: string;
  readonly digest: string;
  /** Name of the support's entry function; see {@link hideNames}. */
  readonly entrySymbol: string;
}

/** Names inside the sandbox. The candidate's object finds the gate, and the test's object both, by them. */
export const inside = {
  run: "/b",
  build: "/k",
  include: "/h",
  support: "/s",
  candidate: "/c",
  candidateObject: "/c/candidate.so",
  server: "/r",
  gate: "/b/gate.so",
  launcher: "/b/launcher",
  loader: "/b/ld.so",
} as const;

const sources = [
  "launcher.c",
  "census.h",
  "garbage.h",
  "wire.h",
  "remote.c",
  "remote.h",
  "remote.hpp",
  "gate.c",
  "anchor.c",
  "support.c",
  "canary.c",
  "target.h",
  "include/assert.h",
  "include/cassert",
] as const;

/** Changes when {@link buildKit} makes other things of the same sources. */
const recipe = "5";

/** What a plain link takes from archives where the code needs it: `atexit` and its kin, arithmetic of wide types. */
const archives = ["libgcc.a", "libc_nonshared.a"] as const;

/** Environment of every compile: a search path, and messages in plain English. */
export const compileEnv = { PATH: "/usr/bin:/bin", LC_ALL: "C", TMPDIR: "/tmp" } as const;

const sanitizerLibrary: Readonly<Record<string, string>> = {
  address: "asan",
  thread: "tsan",
  leak: "lsan",
  undefined: "ubsan",
};

/** The kit for a compiler and the sanitizers of a target, built where the cache has none. */
export async function openKit(
  toolchain: Toolchain,
  sanitizers: readonly string[],
  machine: Machine,
  cache: Cache,
): Promise<Kit> {
  const texts = sources.map((name) => readFileSync(packageFile(join("native", name)), "utf8"));
  const runtimes = [...new Set(sanitizers.map((s) => (s in sanitizerLibrary ? s : "undefined")))].sort();
  const digest = digestOf(recipe, toolchain.digest, ...runtimes, ...texts);
  const folder = await cache.folder("kit", digest, (draft) => buildKit(draft, toolchain, runtimes, machine));
  return {
    runFolder: join(folder, "run"),
    buildFolder: join(folder, "build"),
    includeFolder: join(folder, "include"),
    supportFolder: join(folder, "support"),
    digest,
    entrySymbol: readFileSync(join(folder, "support/entry"), "utf8"),
  };
}

const secretNames = /\bho_(check_passed|check_failed|entry)\b/g;

/**
 * The candidate's headers are compiled in one unit with the test and could define or call the support's
 * functions by name. So each kit has names of its own, which nobody outside of it has seen.
 */
function hideNames(text: string, suffix: string): string {
  return text.replace(secretNames, (name) => `${name}_${suffix}`);
}

type Compile = (...args: string[]) => Promise<unknown>;

async function buildKit(folder: string, toolchain: Toolchain, runtimes: readonly string[], machine: Machine) {
  for (const part of ["run", "build", "include", "support"]) mkdirSync(join(folder, part), { mode: 0o755 });
  const suffix = randomBytes(8).toString("hex");
  const entry = hideNames("ho_entry", suffix);
  const text = machine.newFolder("kit-text");
  mkdirSync(join(text, "include"), { mode: 0o755 });
  for (const name of sources)
    writeFileSync(
      join(text, name),
      hideNames(readFileSync(packageFile(join("native", name)), "utf8"), suffix),
    );
  const out = machine.newFolder("kit");
  const compile: Compile = (...args) => runStep(machine, [toolchain.compiler, ...args], text, out);
  const sanitize = runtimes.length > 0 ? [`-fsanitize=${runtimes.join(",")}`] : [];
  await compileParts(compile, sanitize);
  await linkParts(compile, sanitize, entry);
  const copy = (from: string, part: string, names: readonly string[]) => {
    for (const name of names) copyFileSync(join(from, name), join(folder, part, name));
  };
  copy(out, "run", ["gate.so", "launcher"]);
  copy(out, "build", ["gate.so", "candidate.so", "anchor.o"]);
  copy(text, "build", ["remote.hpp"]);
  copy(out, "support", ["support.o", "canary.so"]);
  copy(join(text, "include"), "include", ["assert.h", "cassert"]);
  writeFileSync(join(folder, "support/entry"), entry);
  await copyLibraries(join(out, "launcher"), join(folder, "run"), toolchain, machine);
  for (const name of archives)
    copyFileSync(await locateLibrary(name, toolchain, machine), join(folder, "build", name));
}

async function compileParts(compile: Compile, sanitize: readonly string[]): Promise<void> {
  const bare = ["-O2", "-g0", "-fPIC", "-ffreestanding", "-fno-stack-protector", "-x", "c", "-c"];
  for (const name of ["gate", "anchor", "support"])
    await compile(...bare, `/k/${name}.c`, "-o", `/o/${name}.o`);
  await compile(...bare, ...sanitize, "/k/canary.c", "-o", "/o/canary.o");
  const hosted = ["-O1", "-g0", "-fPIE", "-fvisibility=hidden", "-x", "c", "-c"];
  for (const name of ["launcher", "remote"]) await compile(...hosted, `/k/${name}.c`, "-o", `/o/${name}.o`);
}

async function linkParts(compile: Compile, sanitize: readonly string[], entry: string): Promise<void> {
  const shared = ["-shared", "-nostdlib", "-Wl,--build-id=none", "-Wl,-z,noexecstack", "-Wl,--no-as-needed"];
  await compile(...shared, `-Wl,-soname,${inside.gate}`, "/o/gate.o", "-o", "/o/gate.so");
  const empty = [`-Wl,-soname,${inside.candidateObject}`, "/o/anchor.o", "/o/gate.so"];
  await compile(...shared, ...empty, "-o", "/o/candidate.so");
  const canary = ["-Wl,-Bsymbolic", `-Wl,--defsym,canary=${entry}`, "-Wl,-s", "/o/canary.o", "/o/support.o"];
  await compile(...shared, ...canary, "/o/anchor.o", "/o/candidate.so", "/o/gate.so", "-o", "/o/canary.so");
  const names = [`-Wl,--dynamic-linker=${inside.loader}`, `-Wl,-rpath,${inside.run}`];
  const libraries = ["-Wl,--no-as-needed", "-lstdc++", "-lm", "-ldl", "-lpthread", "-lgcc_s"];
  const exported = ["ho_gate", "ho_mutant", "ho_remote_*"].map(
    (name) => `-Wl,--export-dynamic-symbol=${name}`,
  );
  await compile(
    "-pie",
    ...sanitize,
    ...names,
    ...exported,
    "/o/launcher.o",
    "/o/remote.o",
    "-o",
    "/o/launcher",
    ...libraries,
  );
}

/** Copies the loader and every shared library that the launcher needs, directly or through another. */
async function copyLibraries(
  launcher: string,
  to: string,
  toolchain: Toolchain,
  machine: Machine,
): Promise<void> {
  const seen = new Set<string>();
  const open = [...readElf(readFileSync(launcher)).needed];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const found = await locateLibrary(name, toolchain, machine);
    const bytes = readFileSync(found);
    // The launcher asks for the loader by a neutral name; to others it is already there.
    writeFileSync(join(to, name.startsWith("ld-") ? basename(inside.loader) : name), bytes, { mode: 0o755 });
    open.push(...readElf(bytes).needed);
  }
}

async function locateLibrary(name: string, toolchain: Toolchain, machine: Machine): Promise<string> {
  const result = await runStep(machine, [toolchain.compiler, `-print-file-name=${name}`]);
  const path = result.stdout.text.trim();
  if (path.startsWith("/")) return path;
  throw new GraderError(69, `a library of the compiler is missing · ${name}`, {
    hint: "install the compiler's runtime libraries, then run `hidden-oracle doctor`",
  });
}

async function runStep(machine: Machine, argv: [string, ...string[]], text?: string, out?: string) {
  const binds: Bind[] = [...systemBinds().binds];
  if (text !== undefined) binds.push({ from: text, to: inside.build });
  if (out !== undefined) binds.push({ from: out, to: "/o", writable: true });
  const limits = { tmpBytes: 512 << 20, keepBytes: 65_536, wallMs: 120_000 };
  const result = await machine.run({ argv, binds, cwd: "/", env: compileEnv, ...limits });
  if (result.innerCode === 0) return result;
  const said = result.stderr.text.trim() || `ended by ${result.ended}`;
  const missing = /cannot find -l?(\S*(?:asan|tsan|lsan|ubsan)\S*)/.exec(said)?.[1];
  if (missing !== undefined)
    throw new GraderError(69, `a sanitizer's library is missing · ${missing}`, {
      hint: "install the compiler's sanitizer libraries",
    });
  throw new GraderError(69, `the launcher can't be built with ${argv[0]} · ${said.slice(0, 2000)}`, {
    hint: "run `hidden-oracle doctor`: it says what is missing and how to mend it",
  });
}
