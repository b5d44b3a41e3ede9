/** The manifest: its text checked, its defaults filled in, its shorthands written out. */
import { checkManifest } from "./manifest-checks.ts";
import { completeFlags, mergeFlags, sanitizerClash } from "./manifest-complete.ts";
import { type Fault, throwFaults } from "./manifest-fault.ts";
import { sortFlags } from "./manifest-flags.ts";
import { schemaFaults } from "./manifest-issues.ts";
import { type NamedFile, namedFiles, tidyPath } from "./manifest-paths.ts";
import {
  type CaseInput,
  defaultLimits,
  type frameworks,
  type LimitsInput,
  type ManifestInput,
  manifestSchema,
  type TargetInput,
} from "./manifest-schema.ts";
import { type ManifestSource, readManifestSource } from "./manifest-source.ts";
import type { Token } from "./verdict.ts";

/** The three layers of a task, in the order in which they are judged. */
export const layerNames = ["visible", "hidden", "reserve"] as const;
export type LayerName = (typeof layerNames)[number];

/** What one compile or one run may use. All positive and finite. */
export type Limits = { readonly [Key in keyof typeof defaultLimits]: number };

/** The framework of a target's sources. */
export type Framework = (typeof frameworks)[number];

/** Text given in the manifest itself, or the file that holds it. */
export type ContentRef = string | { readonly file: string };

/** One target of a layer, written out. Exactly one of `sources`, `cases` and `command` says what it is. */
export interface TargetSpec {
  /** Test sources; empty for a target of `cases` or of a `command`. */
  readonly sources: readonly string[];
  /** Input and output pairs, or the folder that holds them. */
  readonly cases?: string | readonly CaseInput[];
  readonly command?: readonly string[];
  /** The manifest's flags and the target's own, neither completed nor with include folders. */
  readonly cxxflags: readonly string[];
  readonly sanitize?: "none" | readonly string[];
  /** Absent: to be told from the sources. */
  readonly framework?: Framework;
  readonly args: readonly string[];
  readonly stdin?: ContentRef;
  readonly repeat: number;
  /** A number is the seed where none is asked for. */
  readonly seed: boolean | number;
  readonly isolation: "none" | "process";
  readonly limits: Limits;
}

/** A manifest with nothing left unsaid. Paths are tidy: relative, `/`, no `.` or `..` steps. */
export interface Manifest {
  readonly id: string;
  readonly prompt?: string;
  /** Names and globs. */
  readonly sources: readonly string[];
  readonly visible: readonly TargetSpec[];
  readonly hidden: readonly TargetSpec[];
  readonly reserve: readonly TargetSpec[];
  /** Folders: those of `include`, then those that `-I` among the flags named. */
  readonly include: readonly string[];
  readonly ldflags: readonly string[];
  readonly pkgConfig: readonly string[];
  /** Empty: the harness chooses. */
  readonly compilers: readonly string[];
  readonly limits: Limits;
  readonly build: NonNullable<ManifestInput["build"]>;
  readonly reference?: string;
  readonly alternatives: readonly string[];
  readonly calibration: Readonly<Record<string, Token>>;
  readonly waivers: NonNullable<ManifestInput["waivers"]>;
  readonly hints: Readonly<Partial<Record<Token, string>>>;
  readonly scope: "reject" | "drop";
  readonly protect: readonly string[];
  readonly allow: readonly string[];
  readonly memoryLeaks: "auto" | "fail" | "report";
  readonly proof: "auto" | "exact" | "completion";
  readonly queryBudget?: number;
  readonly locked: boolean;
}

/** A manifest together with what a loader needs to point at its lines. */
export interface ReadManifest {
  readonly manifest: Manifest;
  readonly files: readonly NamedFile[];
  readonly locate: ManifestSource["locate"];
}

/** The manifest in `text`; any fault is a GraderError 65 with its place. `file` is how messages call it. */
export function parseManifest(text: string, file: string): Manifest {
  return readManifest(text, file).manifest;
}

/** As {@link parseManifest}, with the named files and the places of all keys. */
export function readManifest(text: string, file: string): ReadManifest {
  const source = readManifestSource(text, file);
  throwFaults(source.faults);
  const parsed = manifestSchema.safeParse(source.value);
  if (!parsed.success) {
    throwFaults(schemaFaults(manifestSchema, parsed.error.issues, source));
    throw parsed.error;
  }
  throwFaults(checkManifest(parsed.data, source, file));
  const manifest = normalise(parsed.data);
  throwFaults(layerNames.flatMap((layer) => sanitizerFaults(layer, manifest[layer], source)));
  return { manifest, files: namedFiles(parsed.data), locate: source.locate };
}

/** A layer without a sanitised target would pass what only a sanitizer sees. */
function sanitizerFaults(layer: LayerName, targets: readonly TargetSpec[], source: ManifestSource): Fault[] {
  const location = source.locate([layer]);
  const sets = targets.map(({ cxxflags, sanitize }) => completeFlags(cxxflags, sanitize).sanitizers);
  const clashes = sets.flatMap((set) => sanitizerClash(set) ?? []);
  if (clashes[0] !== undefined)
    return [{ message: `${layer}: ${clashes[0]}`, hint: "give each set a target of its own", location }];
  if (sets.length === 0 || sets.some((set) => set.length > 0)) return [];
  return [
    {
      message: `${layer}: no target of this layer is sanitised`,
      hint: 'leave out -fno-sanitize and "sanitize": "none", or add a target that keeps address,undefined',
      location,
    },
  ];
}

function normalise(input: ManifestInput): Manifest {
  const { $schema, compiler, compilers, prompt, reference, ...rest } = input;
  const flags = sortFlags(input.cxxflags ?? []);
  const limits = limitsOf(input.limits);
  const own = layerNames.flatMap((layer) =>
    targetInputs(input[layer]).map((target) => sortFlags(target.cxxflags ?? [])),
  );
  const targets = (layer: LayerName) =>
    targetInputs(input[layer]).map((target) => targetSpec(target, flags.cxxflags, limits, input.limits));
  return {
    id: rest.id,
    ...(prompt === undefined ? {} : { prompt: tidyPath(prompt) }),
    sources: unique(rest.sources.map(tidyPath)),
    visible: targets("visible"),
    hidden: targets("hidden"),
    reserve: targets("reserve"),
    include: unique(
      [...(rest.include ?? []), ...flags.include, ...own.flatMap((each) => each.include)].map(tidyPath),
    ),
    ldflags: [...(rest.ldflags ?? []), ...flags.ldflags, ...own.flatMap((each) => each.ldflags)],
    pkgConfig: unique(rest.pkgConfig ?? []),
    compilers: unique(compilers ?? (compiler === undefined ? [] : [compiler])),
    limits,
    build: rest.build ?? { kind: "direct" },
    ...(reference === undefined ? {} : { reference: tidyPath(reference) }),
    alternatives: (rest.alternatives ?? []).map(tidyPath),
    ...policyOf(input),
  };
}

/** What is not about building: what to expect of patches, and how strict to be. */
function policyOf({ queryBudget, ...rest }: ManifestInput) {
  return {
    calibration: Object.fromEntries(
      Object.entries(rest.calibration ?? {}).map(([path, token]) => [tidyPath(path), token]),
    ),
    waivers: rest.waivers ?? [],
    hints: rest.hints ?? {},
    scope: rest.scope ?? "reject",
    protect: (rest.protect ?? []).map(tidyPath),
    allow: rest.allow ?? [],
    memoryLeaks: rest.memoryLeaks ?? "auto",
    proof: rest.proof ?? "auto",
    ...(queryBudget === undefined ? {} : { queryBudget }),
    locked: rest.locked ?? false,
  } as const;
}

function targetInputs(layer: ManifestInput["visible"] | undefined): TargetInput[] {
  const list = layer === undefined ? [] : Array.isArray(layer) ? layer : [layer];
  return list.map((item) => (typeof item === "string" ? { source: item } : item));
}

function targetSpec(
  input: TargetInput,
  common: readonly string[],
  limits: Limits,
  given: LimitsInput | undefined,
): TargetSpec {
  const { source, sources, cases, command, sanitize, framework, stdin } = input;
  return {
    sources: (source === undefined ? (sources ?? []) : [source]).map(tidyPath),
    ...(cases === undefined ? {} : { cases: typeof cases === "string" ? tidyPath(cases) : cases }),
    ...(command === undefined ? {} : { command }),
    cxxflags: mergeFlags(common, sortFlags(input.cxxflags ?? []).cxxflags),
    ...(sanitize === undefined ? {} : { sanitize }),
    ...(framework === undefined ? {} : { framework }),
    args: input.args ?? [],
    ...(stdin === undefined
      ? {}
      : { stdin: typeof stdin === "string" ? stdin : { file: tidyPath(stdin.file) } }),
    repeat: input.repeat ?? 1,
    seed: input.seed ?? false,
    isolation: input.isolation ?? "none",
    limits: input.limits === undefined ? limits : limitsOf({ ...given, ...input.limits }),
  };
}

/** The wall is a backstop for what uses no CPU, so it never falls below what the CPU limit needs. */
function limitsOf(given: LimitsInput = {}): Limits {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const limits: Limits = { ...defaultLimits, ...said };
  return given.wallSeconds === undefined
    ? { ...limits, wallSeconds: Math.max(defaultLimits.wallSeconds, 2 * limits.cpuSeconds) }
    : limits;
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
