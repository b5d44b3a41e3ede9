/** What is compiled and linked, as arrays of arguments: pure, so that tests and `grade --plan` can read them. */

/** One command inside the sandbox. Paths are the sandbox's: `/w` the patched tree, `/k` our kit, `/h` the counting `<cassert>`,
 * `/s` the support of tests, `/i` objects, `/o` output. */
export interface BuildStep {
  readonly what: string;
  readonly argv: readonly [string, ...string[]];
}

/** Flags of the sources that a patch may change. */
export interface CandidateFlags {
  readonly compiler: string;
  readonly cxxflags: readonly string[];
  readonly includeDirs: readonly string[];
}

/** A precompiled header to put in front of a unit; `null` for none. */
export type Precompiled = { readonly header: string } | null;

/**
 * Added to every compile, last, whatever the manifest says: failures end the run, assertions are live, the
 * library checks itself, and no path of the machine gets into an object.
 */
export const harnessFlags: readonly string[] = [
  "-fPIC",
  "-fno-semantic-interposition",
  "-fno-sanitize-recover=all",
  "-D_GLIBCXX_ASSERTIONS",
  "-D_GLIBCXX_SANITIZE_VECTOR",
  "-UNDEBUG",
  "-fmax-errors=20",
  "-fdiagnostics-color=never",
  "-fno-diagnostics-show-caret",
];

/** Flags that speak of test units only: a candidate compiled with them would be another candidate. */
const testOnly = new Set(["-fno-access-control"]);

/** A target's flags as far as they matter to candidate units: targets that agree here share objects. */
export function candidateFlagsOf(cxxflags: readonly string[]): string[] {
  return cxxflags.filter((flag) => !testOnly.has(flag));
}

/** Line tables are all that a sanitizer's report reads, and full debug information costs a fifth of a compile. */
const lineTables = "-g1";

function common(flags: CandidateFlags, precompiled: Precompiled): string[] {
  const dirs = flags.includeDirs.flatMap((dir) => ["-I", dir]);
  const before = precompiled === null ? [] : ["-include", precompiled.header];
  return [...flags.cxxflags, ...harnessFlags, lineTables, ...dirs, ...before];
}

const linkShared = [
  "-shared",
  "-nostdlib",
  "-Wl,--build-id=none",
  "-Wl,-z,noexecstack",
  // What the loader has bound can't be bound anew.
  "-Wl,-z,relro",
  "-Wl,-z,now",
  "-Wl,--no-as-needed",
] as const;

/** Archives of the compiler and the C library, for what their shared forms leave out; last, as in a plain link. */
const archives = ["/k/libgcc.a", "/k/libc_nonshared.a"] as const;

/** The object that candidate units become; see `native/gate.c` for why it needs the gate. */
function candidateLink(soname: string): string[] {
  return [
    ...linkShared,
    `-Wl,-soname,${soname}`,
    "/k/anchor.o",
    "/k/gate.so",
    ...archives,
    "-o",
    "/o/candidate.so",
  ];
}

/** One unit is compiled and linked by one command. */
export function compileAndLinkCandidate(
  flags: CandidateFlags,
  unit: string,
  soname: string,
  pch: Precompiled,
): BuildStep {
  return {
    what: `compile ${unit}`,
    argv: [
      flags.compiler,
      ...common(flags, pch),
      ...languageOf(unit),
      unit,
      "-x",
      "none",
      ...candidateLink(soname),
    ],
  };
}

/** One of several units, to be linked by {@link linkCandidate}. */
export function compileCandidateUnit(
  flags: CandidateFlags,
  unit: string,
  object: string,
  pch: Precompiled,
): BuildStep {
  return {
    what: `compile ${unit}`,
    argv: [flags.compiler, ...common(flags, pch), ...languageOf(unit), "-c", unit, "-o", `/o/${object}`],
  };
}

export function linkCandidate(compiler: string, objects: readonly string[], soname: string): BuildStep {
  return {
    what: "link the candidate",
    argv: [compiler, ...objects.map((o) => `/i/${o}`), ...candidateLink(soname)],
  };
}

/** A test unit comes through standard input: where it is compiled no test exists as a file. */
export function compileTestUnit(flags: CandidateFlags, object: string, pch: Precompiled): BuildStep {
  const deps = ["-MD", "-MF", `/o/${object}.d`];
  return {
    what: "compile a test unit",
    argv: [
      flags.compiler,
      "-I",
      "/h",
      ...common(flags, pch),
      ...deps,
      "-x",
      "c++",
      "-c",
      "-",
      "-o",
      `/o/${object}`,
    ],
  };
}

/**
 * A test's shared object. Its functions bind to themselves, its data is shared with the candidate's, and
 * `/v/exports` says which names are seen at all.
 */
export function linkTest(
  compiler: string,
  objects: readonly string[],
  entry: { readonly name: string; readonly symbol: string },
  ldflags: readonly string[],
): BuildStep {
  const exports = [
    "-Wl,-Bsymbolic-functions",
    "-Wl,--version-script=/v/exports",
    `-Wl,--defsym,${entry.name}=${entry.symbol}`,
  ];
  const inputs = [
    ...objects.map((o) => `/i/${o}`),
    "/s/support.o",
    "/k/anchor.o",
    "/k/candidate.so",
    "/k/gate.so",
  ];
  return {
    what: "link a test",
    argv: [compiler, ...linkShared, ...exports, ...inputs, ...ldflags, ...archives, "-o", "/o/test.so"],
  };
}

/** A precompiled header of system headers alone, with exactly the flags of the units that will use it. */
export function precompile(flags: CandidateFlags, forTests: boolean): BuildStep {
  return {
    what: "precompile system headers",
    argv: [
      flags.compiler,
      ...(forTests ? ["-I", "/h"] : []),
      ...flags.cxxflags,
      ...harnessFlags,
      lineTables,
      "-MD",
      "-MF",
      "/o/pre.d",
      "-x",
      "c++-header",
      "/p/pre.hpp",
      "-o",
      "/o/pre.hpp.gch",
    ],
  };
}

/** A test unit for a plain executable, with the manifest's flags alone; it comes through standard input. */
export function compilePlainTest(flags: CandidateFlags, object: string): BuildStep {
  return {
    what: "compile a test unit",
    argv: [
      flags.compiler,
      ...flags.cxxflags,
      ...plainDirs(flags),
      "-x",
      "c++",
      "-c",
      "-",
      "-o",
      `/o/${object}`,
    ],
  };
}

/** A plain executable from test objects and all candidate units, with the manifest's flags alone. */
export function linkPlain(
  flags: CandidateFlags,
  objects: readonly string[],
  units: readonly string[],
  ldflags: readonly string[],
): BuildStep {
  const inputs = [...objects.map((o) => `/i/${o}`), ...units];
  return {
    what: "build a plain executable",
    argv: [flags.compiler, ...flags.cxxflags, ...plainDirs(flags), ...inputs, ...ldflags, "-o", "/o/program"],
  };
}

/** Compiled for `gcov`: no sanitizer and no optimiser, so that each line keeps its own count. */
const coverageFlags = ["-fno-sanitize=all", "-O0", "-g0", "--coverage"];

/** A test unit with counts of its lines; it comes through standard input. */
export function compileCoverageTest(flags: CandidateFlags, object: string): BuildStep {
  const { what, argv } = compilePlainTest(flags, object);
  return { what, argv: [argv[0], ...argv.slice(1), ...coverageFlags] };
}

/** A candidate's unit with counts of its lines. */
export function compileCoverageUnit(flags: CandidateFlags, unit: string, object: string): BuildStep {
  const dirs = plainDirs(flags);
  return {
    what: `compile ${unit}`,
    // An inline function that nobody calls is not executed either: gcc(1) has this for coverage.
    argv: [
      flags.compiler,
      ...flags.cxxflags,
      ...dirs,
      ...coverageFlags,
      "-fkeep-inline-functions",
      "-c",
      unit,
      "-o",
      `/o/${object}`,
    ],
  };
}

/** A plain executable of such objects. */
export function linkCoverage(
  flags: CandidateFlags,
  objects: readonly string[],
  ldflags: readonly string[],
): BuildStep {
  const inputs = objects.map((object) => `/o/${object}`);
  return {
    what: "link for coverage",
    argv: [flags.compiler, "--coverage", ...inputs, ...ldflags, "-o", "/o/program"],
  };
}

/** Prints the counts that a run has left beside its objects, as JSON, a line for each object. */
export function readCoverage(tool: string, objects: readonly string[]): [string, ...string[]] {
  return [tool, "--json-format", "--stdout", ...objects.map((object) => object.replace(/o$/, "gcda"))];
}

function plainDirs(flags: CandidateFlags): string[] {
  return flags.includeDirs.flatMap((dir) => ["-I", dir]);
}

function languageOf(unit: string): string[] {
  return ["-x", unit.endsWith(".c") ? "c" : "c++"];
}
