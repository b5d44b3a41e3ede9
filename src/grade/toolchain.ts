/** Finds the compiler and says exactly which one it is. */
import { realpathSync, statSync } from "node:fs";
import { GraderError } from "../model/errors.ts";
import type { Machine } from "../sandbox/machine.ts";
import { findProgram, systemBinds } from "../sandbox/sandbox.ts";
import { type Cache, digestOf } from "./cache.ts";

/** One compiler of this machine. */
export interface Toolchain {
  readonly name: string;
  /** Absolute path of the driver, outside and inside the sandbox. */
  readonly compiler: string;
  readonly family: "gcc" | "clang";
  /** First line of `--version`. */
  readonly version: string;
  /** Changes with the driver's file and its version. */
  readonly digest: string;
}

/**
 * @param name The manifest's `compiler`; `g++` by default.
 * @throws GraderError 69 when it isn't there or doesn't answer.
 */
export async function probeToolchain(name: string, machine: Machine, cache: Cache): Promise<Toolchain> {
  const found = name.startsWith("/") ? name : findProgram(name, machine.path);
  const stat = found === undefined ? undefined : statSync(found, { throwIfNoEntry: false });
  if (found === undefined || !stat)
    throw new GraderError(69, `no compiler · ${name} is not on PATH`, {
      hint: `install it (apt-get install ${name === "clang++" ? "clang" : "g++"}), or name another in the manifest's "compiler"`,
    });
  const key = digestOf(found, realpathSync(found), String(stat.size), String(stat.mtimeMs), String(stat.ino));
  const known = cache.readJson("toolchain", key) as Toolchain | undefined;
  if (known?.compiler === found) return known;
  const version = await askVersion(found, machine);
  const family = /clang/i.test(version) ? ("clang" as const) : ("gcc" as const);
  const toolchain = { name, compiler: found, family, version, digest: digestOf(key, version) };
  cache.writeJson("toolchain", key, toolchain);
  return toolchain;
}

async function askVersion(compiler: string, machine: Machine): Promise<string> {
  const result = await machine.run({
    argv: [compiler, "--version"],
    binds: systemBinds().binds,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    tmpBytes: 1 << 20,
    keepBytes: 65_536,
    wallMs: 20_000,
  });
  const version = result.stdout.text.split("\n")[0]?.trim() ?? "";
  if (result.innerCode === 0 && version !== "") return version;
  const said = result.stderr.text.trim().split("\n").at(-1) ?? "";
  throw new GraderError(
    69,
    `the sandbox can't run the compiler · ${compiler} · ${said || `ended by ${result.ended}`}`,
    {
      hint: "run `hidden-oracle doctor`: it says what is missing and how to mend it",
    },
  );
}
