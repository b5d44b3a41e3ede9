/** Everything of ours that is built once per compiler and set of sanitizers: launcher, gate, support, libraries. */
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
  /** Bound as `/k` where units are compiled and linked. */
  readonly buildFolder: string;
  readonly digest: string;
}

/** Names inside the sandbox. The candidate's object finds the gate, and the test's object both, by them. */
export const inside = {
  run: "/b",
  build: "/k",
  candidate: "/c",
  candidateObject: "/c/candidate.so",
  gate: "/b/gate.so",
  launcher: "/b/launcher",
  loader: "/b/ld.so",
} as const;

const sources = [
  "launcher.c",
  "gate.c",
  "anchor.c",
  "support.c",
  "canary.c",
  "target.h",
  "include/assert.h",
  "include/cassert",
] as const;

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
  const digest = digestOf(toolchain.digest, ...runtimes, ...texts);
  const folder = await cache.folder("kit", digest, (draft) => buildKit(draft, toolchain, runtimes, machine));
  return { runFolder: join(folder, "run"), buildFolder: join(folder, "build"), digest };
}

async function buildKit(folder: string, toolchain: Toolchain, runtimes: readonly string[], machine: Machine) {
  for (const part of ["run", "build", "build/include"]) mkdirSync(join(folder, part), { mode: 0o755 });
  for (const name of sources) copyFileSync(packageFile(join("native", name)), join(folder, "build", name));
  const out = machine.newFolder("kit");
  const cc = async (...args: string[]) => runStep(machine, [toolchain.compiler, ...args], folder, out);
  const object = ["-O2", "-g0", "-fPIC", "-ffreestanding", "-fno-stack-protector", "-x", "c", "-c"];
  const sanitize = runtimes.length > 0 ? [`-fsanitize=${runtimes.join(",")}`] : [];
  await cc(...object, "/k/gate.c", "-o", "/o/gate.o");
  await cc(...object, "/k/anchor.c", "-o", "/o/anchor.o");
  await cc(...object, "/k/support.c", "-o", "/o/support.o");
  await cc(
    "-O1",
    "-g0",
    "-fPIE",
    "-fvisibility=hidden",
    "-x",
    "c",
    "-c",
    "/k/launcher.c",
    "-o",
    "/o/launcher.o",
  );
  const shared = ["-shared", "-nostdlib", "-Wl,--build-id=none", "-Wl,-z,noexecstack"];
  await cc(...shared, `-Wl,-soname,${inside.gate}`, "/o/gate.o", "-o", "/o/gate.so");
  const empty = [`-Wl,-soname,${inside.candidateObject}`, "-Wl,--no-as-needed", "/o/anchor.o", "/o/gate.so"];
  await cc(...shared, ...empty, "-o", "/o/candidate.so");
  const found = [
    `-Wl,--dynamic-linker=${inside.loader}`,
    `-Wl,-rpath,${inside.run}`,
    "-Wl,--export-dynamic-symbol=ho_gate",
  ];
  const libraries = ["-Wl,--no-as-needed", "-lstdc++", "-lm", "-ldl", "-lpthread", "-lgcc_s"];
  await cc(...object, ...sanitize, "/k/canary.c", "-o", "/o/canary.o");
  const test = ["-Wl,-Bsymbolic", "-Wl,--defsym,canary=ho_entry", "-Wl,-s", "-Wl,--no-as-needed"];
  const inputs = ["/o/canary.o", "/o/support.o", "/o/anchor.o", "/o/candidate.so", "/o/gate.so"];
  await cc(...shared, ...test, ...inputs, "-o", "/o/canary.so");
  await cc("-pie", ...sanitize, ...found, "/o/launcher.o", "-o", "/o/launcher", ...libraries);
  for (const name of ["gate.so", "launcher"]) copyFileSync(join(out, name), join(folder, "run", name));
  for (const name of ["gate.so", "candidate.so", "anchor.o", "support.o", "canary.so"])
    copyFileSync(join(out, name), join(folder, "build", name));
  await copyLibraries(join(out, "launcher"), join(folder, "run"), toolchain, machine);
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

async function runStep(machine: Machine, argv: [string, ...string[]], kit?: string, out?: string) {
  const binds: Bind[] = [...systemBinds().binds];
  if (kit !== undefined) binds.push({ from: join(kit, "build"), to: inside.build });
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
