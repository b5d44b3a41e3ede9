/** A task with every file read: all that a grade needs to know, and the digests that name it. */
import { createHash } from "node:crypto";
import type { Framework, LayerName, Limits, Manifest, TargetSpec } from "./manifest.ts";
import { completeFlags } from "./manifest-complete.ts";
import type { InlinedFile } from "./test-unit.ts";
import type { Token } from "./verdict.ts";

/**
 * File contents, byte for byte, as a latin1 string: one character a byte, so that text functions
 * work on it and no byte is ever lost. `Buffer.from(text, "latin1")` gives the bytes back.
 */
export type Bytes = string;

/** Files by path relative to the task folder. */
export type FileTree = ReadonlyMap<string, Bytes>;

/** One source of a test program. */
export interface TestSource {
  /** Relative to the task folder; for maintainers only. */
  readonly path: string;
  /** The file as it is on disk. */
  readonly text: Bytes;
  /** What the compiler is given: the file with its helpers inlined, under neutral names. */
  readonly unit: Bytes;
  /** What went into `unit`, by neutral name, to lead a maintainer back to the file. */
  readonly files: readonly InlinedFile[];
}

/** One input and what the program must answer. */
export interface TestCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin: Bytes;
  /** Absent where every output will do. */
  readonly stdout?: Bytes;
  readonly exitCode: number;
}

/** One test program of a layer, ready for the build plan. */
export interface Target {
  readonly layer: LayerName;
  /** `hidden`, or `hidden[1]` where a layer has several. */
  readonly name: string;
  readonly sources: readonly TestSource[];
  readonly cases: readonly TestCase[];
  readonly command?: readonly string[];
  /** Completed: see `completeFlags`. Include folders are in `Task.includeDirs`. */
  readonly cxxflags: readonly string[];
  /** `cxxflags` for the target's own units; see `completeFlags`. */
  readonly testFlags: readonly string[];
  /** What `cxxflags` switch on, and `valgrind` where the target asks for it. */
  readonly sanitizers: readonly string[];
  readonly framework?: Framework;
  readonly args: readonly string[];
  readonly stdin?: Bytes;
  readonly repeat: number;
  readonly seed: boolean | number;
  readonly isolation: "none" | "process";
  readonly limits: Limits;
}

/** A recorded patch. */
export interface RecordedPatch {
  readonly path: string;
  readonly bytes: Bytes;
}

/** A recorded patch and what must become of it. */
export interface ExpectedPatch extends RecordedPatch {
  readonly expected: Token;
}

/** A loaded task. */
export interface Task {
  /** Absolute path of the task folder. */
  readonly root: string;
  /** Absolute path of the manifest. */
  readonly manifestPath: string;
  readonly id: string;
  readonly manifest: Manifest;
  /** Names all that a verdict depends on: normalised manifest, sources, headers, tests, oracle. */
  readonly digest: string;
  /** Names the hidden and reserve layers: their texts and flags. */
  readonly oracleDigest: string;
  /** The files that match `sources` in the baseline. */
  readonly sources: FileTree;
  /** Files of `include` folders and headers beside sources that are neither sources nor tests. */
  readonly headers: FileTree;
  /** Folders for `-I`, in order, relative to the task folder. */
  readonly includeDirs: readonly string[];
  /** Translation units among `sources`. */
  readonly units: readonly string[];
  readonly layers: { readonly [Layer in LayerName]: readonly Target[] };
  readonly prompt: Bytes | undefined;
  readonly reference: RecordedPatch | undefined;
  readonly alternatives: readonly RecordedPatch[];
  /** Every recorded patch once, with the verdict that it must get. */
  readonly recorded: readonly ExpectedPatch[];
  /** Whether the oracle lies encrypted on disk: then nothing that is made from it may lie there in the clear. */
  readonly sealed: boolean;
  /** What the maintainer should know: dropped flags and the like. */
  readonly notes: readonly string[];
}

/** What the files that a target names hold. */
export interface TargetFiles {
  readonly sources: readonly TestSource[];
  readonly cases: readonly TestCase[];
  readonly stdin: Bytes | undefined;
}

const unitSuffix = /\.(cpp|cc|cxx|c\+\+|cp|CPP|C|c)$/;
const headerSuffix = /\.(h|hh|hpp|hxx|h\+\+|H|ipp|tpp|tcc|txx|inl|inc|def)$/;

/** Whether a file is compiled by itself. */
export function isUnit(path: string): boolean {
  return unitSuffix.test(path);
}

/** Whether a file is there to be included. */
export function isHeader(path: string): boolean {
  return headerSuffix.test(path);
}

/**
 * `include`, then the folders of headers among the sources, then folders called `include` that these lie somewhere
 * below, so that `include/lib/a.hpp` can be included as `lib/a.hpp`; each once.
 */
export function includeDirsOf(manifest: Manifest, sources: Iterable<string>): string[] {
  const folders = [...sources].filter(isHeader).map((path) => path.split("/").slice(0, -1));
  const roots = folders.flatMap((folder) => {
    const end = folder.lastIndexOf("include") + 1;
    return end > 0 ? [folder.slice(0, end)] : [];
  });
  return [
    ...new Set([...manifest.include, ...[...folders, ...roots].map((folder) => folder.join("/") || ".")]),
  ];
}

/** How messages and records call a target. */
export function targetName(layer: LayerName, index: number, count: number): string {
  return count === 1 ? layer : `${layer}[${index}]`;
}

/** A target from its manifest entry and the files that it names. */
export function targetOf(layer: LayerName, name: string, spec: TargetSpec, files: TargetFiles): Target {
  const { flags, testFlags, sanitizers } = completeFlags(spec.cxxflags, spec.sanitize);
  return {
    layer,
    name,
    sources: files.sources,
    cases: files.cases,
    ...(spec.command === undefined ? {} : { command: spec.command }),
    cxxflags: flags,
    testFlags,
    sanitizers,
    ...(spec.framework === undefined ? {} : { framework: spec.framework }),
    args: spec.args,
    ...(files.stdin === undefined ? {} : { stdin: files.stdin }),
    repeat: spec.repeat,
    seed: spec.seed,
    isolation: spec.isolation,
    limits: spec.limits,
  };
}

/** Digest of the layers that nobody may see: texts, flags and how they are run. */
export function oracleDigestOf(layers: Task["layers"]): string {
  return digestOf(
    [...layers.hidden, ...layers.reserve].map(({ sources, ...rest }) => ({
      ...rest,
      units: sources.map(({ unit }) => sha256(unit)),
    })),
  );
}

/** Digest of all that a verdict depends on. */
export function taskDigestOf(parts: Pick<Task, "manifest" | "sources" | "headers" | "layers">): string {
  const tree = (files: FileTree) =>
    Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]));
  const tests = Object.values(parts.layers).flatMap((targets: readonly Target[]) =>
    targets.map(({ name, sources, cases, stdin }) => ({
      name,
      sources: sources.map(({ path, text, unit }) => [path, sha256(text), sha256(unit)]),
      cases,
      stdin,
    })),
  );
  return digestOf({
    manifest: parts.manifest,
    sources: tree(parts.sources),
    headers: tree(parts.headers),
    tests,
  });
}

/** SHA-256 of a value written as JSON with sorted keys, in hexadecimal. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value), "utf8").digest("hex");
}

/** SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Bytes): string {
  return createHash("sha256").update(bytes, "latin1").digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
