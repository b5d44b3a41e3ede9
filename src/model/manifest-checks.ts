/** What the schema can't say of a manifest: paths, flags, and keys that must agree with each other. */
import { basename } from "node:path";
import type { JSONPath } from "jsonc-parser";
import type { Fault } from "./manifest-fault.ts";
import { cxxflagFaults, type FlagFault, ldflagFaults } from "./manifest-flags.ts";
import { keyName, shown } from "./manifest-issues.ts";
import { isGlob, matcherOf, namedFiles, pathFault, tidyPath } from "./manifest-paths.ts";
import type { ManifestInput, TargetInput } from "./manifest-schema.ts";
import type { ManifestSource, Spot } from "./manifest-source.ts";

type Report = (at: JSONPath, message: string, hint?: string, spot?: Spot) => void;

/** Faults of a manifest that already satisfies the schema. */
export function checkManifest(input: ManifestInput, source: ManifestSource, file: string): Fault[] {
  const faults: Fault[] = [];
  const report: Report = (at, message, hint, spot) => {
    faults.push({ message, location: source.locate(at, spot), ...(hint === undefined ? {} : { hint }) });
  };
  checkPaths(input, report);
  checkOverlap(input, basename(file), report);
  checkCompilers(input, report);
  checkFlags(["cxxflags"], input.cxxflags, cxxflagFaults, report);
  checkFlags(["ldflags"], input.ldflags, ldflagFaults, report);
  checkPackages(input, report);
  for (const [at, target] of targetsIn(input)) checkTarget(at, target, report);
  checkKnownGood(input, report);
  return faults;
}

function checkPaths(input: ManifestInput, report: Report): void {
  const check = (at: JSONPath, path: string, spot?: Spot) => {
    const fault = pathFault(path);
    if (fault !== undefined)
      report(
        at,
        `path in ${keyName(at.slice(0, spot === "key" ? -1 : undefined))} ${fault} · got ${shown(path)}`,
        "name files relative to the manifest's folder, with /",
        spot,
      );
  };
  for (const { at, path, isKey } of namedFiles(input)) check(at, path, isKey ? "key" : "value");
  for (const key of ["sources", "protect"] as const) {
    for (const [index, glob] of (input[key] ?? []).entries()) {
      if (glob.startsWith("!"))
        report(
          [key, index],
          `${key} can't take files out · got ${shown(glob)}`,
          "name what belongs, not what doesn't",
        );
      else if (isGlob(glob) || key === "protect") check([key, index], glob);
    }
  }
  for (const [index, folder] of (input.include ?? []).entries()) check(["include", index], folder);
  for (const [at, target] of targetsIn(input))
    if (typeof target.cases === "string") check([...at, "cases"], target.cases);
  const { build } = input;
  if (build?.kind === "cmake" && build.directory !== undefined)
    check(["build", "directory"], build.directory);
  if (build?.kind === "command")
    for (const [index, path] of (build.outputs ?? []).entries()) check(["build", "outputs", index], path);
}

/** A test that a patch may rewrite judges nothing. */
function checkOverlap(input: ManifestInput, manifestName: string, report: Report): void {
  const isSource = matcherOf(
    input.sources.map((entry) => (pathFault(entry) === undefined ? tidyPath(entry) : entry)),
  );
  for (const { at, path, role, isKey } of namedFiles(input)) {
    if (role === "source" || !isSource(path)) continue;
    report(
      at,
      `${keyName(isKey ? at.slice(0, -1) : at)} is also among sources, where a patch may rewrite it · got ${shown(path)}`,
      "narrow sources, or move the file out of their folders",
      isKey ? "key" : "value",
    );
  }
  if (isSource(manifestName))
    report(["sources"], `sources include the manifest itself · got ${shown(manifestName)}`, "narrow sources");
}

function checkCompilers(input: ManifestInput, report: Report): void {
  if (input.compiler !== undefined && input.compilers !== undefined) {
    report(["compilers"], "compiler and compilers are both there", "keep one of them", "key");
  }
  const check = (at: JSONPath, name: string) => {
    if (!/^(\/[^\s]+|[A-Za-z0-9][A-Za-z0-9._+-]*)$/.test(name)) {
      report(
        at,
        `${keyName(at)} must be a program's name or absolute path · got ${shown(name)}`,
        'for example "g++-12"; flags belong in "cxxflags"',
      );
    }
  };
  if (input.compiler !== undefined) check(["compiler"], input.compiler);
  for (const [index, name] of (input.compilers ?? []).entries()) check(["compilers", index], name);
}

function checkFlags(
  at: JSONPath,
  flags: readonly string[] | undefined,
  find: (flags: readonly string[]) => FlagFault[],
  report: Report,
): void {
  for (const { index, reason, hint } of find(flags ?? [])) {
    report(
      [...at, index],
      `flag in ${keyName(at)} is refused: it ${reason} · got ${shown(flags?.[index])}`,
      hint,
    );
  }
}

function checkPackages(input: ManifestInput, report: Report): void {
  for (const [index, name] of (input.pkgConfig ?? []).entries()) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._+-]*$/.test(name))
      report(["pkgConfig", index], `pkgConfig[${index}] must be a package's name · got ${shown(name)}`);
  }
}

function checkTarget(at: JSONPath, target: TargetInput, report: Report): void {
  const kinds = (["source", "sources", "cases", "command"] as const).filter(
    (key) => target[key] !== undefined,
  );
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? "none of them" : kinds.join(" and ");
    report(at, `${keyName(at)} must have one of source, sources, cases, command · got ${got}`);
  }
  checkFlags([...at, "cxxflags"], target.cxxflags, cxxflagFaults, report);
}

/** The reference and the alternatives are right by definition, so calibration can't expect otherwise. */
function checkKnownGood(input: ManifestInput, report: Report): void {
  const good = new Set(
    [input.reference, ...(input.alternatives ?? [])].flatMap((path) =>
      path === undefined ? [] : [tidyPath(path)],
    ),
  );
  for (const [path, token] of Object.entries(input.calibration ?? {})) {
    if (token === "PASS" || !good.has(tidyPath(path))) continue;
    report(
      ["calibration", path],
      `calibration expects ${token} of a patch that reference or alternatives call right · got ${shown(path)}`,
      'expect "PASS", or call it right no longer',
    );
  }
}

/** Each target that is written out, with its place. */
function targetsIn(input: ManifestInput): [JSONPath, TargetInput][] {
  return (["visible", "hidden", "reserve"] as const).flatMap((layer): [JSONPath, TargetInput][] => {
    const value = input[layer];
    if (value === undefined || typeof value === "string") return [];
    if (!Array.isArray(value)) return [[[layer], value]];
    return value.flatMap((item, index): [JSONPath, TargetInput][] =>
      typeof item === "string" ? [] : [[[layer, index], item]],
    );
  });
}
