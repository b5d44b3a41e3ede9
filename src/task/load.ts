/** From a manifest on disk to a Task, every named file read and checked before anything is built. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GraderError } from "../model/errors.ts";
import { layerNames, readManifest } from "../model/manifest.ts";
import { completeFlags } from "../model/manifest-complete.ts";
import { throwFaults } from "../model/manifest-fault.ts";
import { globFolder, isGlob, matcherOf } from "../model/manifest-paths.ts";
import {
  type ExpectedPatch,
  type FileTree,
  includeDirsOf,
  isUnit,
  oracleDigestOf,
  type RecordedPatch,
  type Task,
  taskDigestOf,
} from "../model/task.ts";
import type { Token } from "../model/verdict.ts";
import { filesBelow, isFolderInside, largestFile, realRoot } from "./files.ts";
import { readHeaders } from "./headers.ts";
import { addFault, peek, type Reading, readNamed } from "./reading.ts";
import { openSeal, readSeal } from "./seal.ts";
import { readLayer } from "./targets.ts";

const manifestName = "manifest.json";

/** How to load a task. */
export interface LoadOptions {
  /** Text of the age identity that opens a sealed oracle. */
  readonly identity?: string | undefined;
}

/** Loads the task in a folder, or of a manifest. Faults of the task are GraderError 65, a missing manifest is 66. */
export async function loadTask(dirOrManifest: string, options: LoadOptions = {}): Promise<Task> {
  const file = manifestFile(dirOrManifest);
  const root = dirname(resolve(file));
  const reading: Reading = {
    ...readManifest(manifestText(file), file),
    root: realRoot(root),
    faults: [],
    cache: new Map(),
  };
  const seal = readSeal(resolve(file));
  if (seal)
    for (const [path, bytes] of await openSeal(reading.root, seal, options.identity))
      reading.cache.set(path, { bytes });
  checkNamed(reading);
  const sources = readSources(reading);
  throwFaults(reading.faults);
  const includeDirs = includeDirsOf(reading.manifest, sources.keys());
  const headers = readHeaders(reading, sources, includeDirs);
  const around = { sources, headers, includeDirs };
  const layers = {
    visible: readLayer(reading, "visible", around),
    hidden: readLayer(reading, "hidden", around),
    reserve: readLayer(reading, "reserve", around),
  };
  throwFaults(reading.faults);
  const { manifest } = reading;
  const parts = { manifest, sources, headers, layers };
  return {
    ...parts,
    root,
    manifestPath: resolve(file),
    id: manifest.id,
    digest: taskDigestOf(parts),
    oracleDigest: oracleDigestOf(layers),
    includeDirs,
    units: [...sources.keys()].filter(isUnit),
    prompt: manifest.prompt === undefined ? undefined : peek(reading, manifest.prompt),
    reference: manifest.reference === undefined ? undefined : recorded(reading, manifest.reference),
    alternatives: manifest.alternatives.map((path) => recorded(reading, path)),
    recorded: expectedPatches(reading),
    sealed: seal !== undefined,
    notes: notesOf(reading),
  };
}

/** The reference and the alternatives must pass unless the manifest says otherwise. */
function expectedPatches(reading: Reading): ExpectedPatch[] {
  const { calibration, reference, alternatives } = reading.manifest;
  const right = [...(reference === undefined ? [] : [reference]), ...alternatives];
  const expected = new Map<string, Token>(right.map((path) => [path, "PASS"]));
  for (const [path, token] of Object.entries(calibration)) expected.set(path, token);
  return [...expected].map(([path, token]) => ({ ...recorded(reading, path), expected: token }));
}

/** The nearest `manifest.json` in a folder or above it, as an absolute path. */
export function findTask(startDir: string): string {
  for (let folder = resolve(startDir); ; folder = dirname(folder)) {
    const path = join(folder, manifestName);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) break;
  }
  throw new GraderError(66, `no ${manifestName} in this folder or above it · ${startDir}`, {
    hint: "name the task with --task DIR, or write a new one with `hidden-oracle init DIR`",
  });
}

/** Path of the manifest that a folder holds, or of the one that is named. @throws GraderError 66 for neither. */
export function manifestFile(dirOrManifest: string): string {
  const status = statSync(dirOrManifest, { throwIfNoEntry: false });
  if (status?.isDirectory()) return join(dirOrManifest, manifestName);
  if (status?.isFile()) return dirOrManifest;
  throw new GraderError(66, `no such task folder or manifest · ${dirOrManifest}`, {
    hint: `name a folder that holds ${manifestName}`,
  });
}

function manifestText(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined)
    throw new GraderError(66, `the task folder holds no ${manifestName} · ${dirname(file)}`, {
      hint: "write one with `hidden-oracle init DIR`",
    });
  if (!status.isFile()) throw new GraderError(66, `the manifest is not a regular file · ${file}`);
  if (status.size > largestFile) throw new GraderError(65, `the manifest is larger than 8 MiB · ${file}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new GraderError(66, `the manifest can't be read · ${file}`, {
      hint: "check who may read it",
      cause,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new GraderError(65, `the manifest is not UTF-8 text · ${file}`, {
      hint: "save it as UTF-8",
      location: { file, line: 1, column: 1 },
      cause,
    });
  }
}

function checkNamed(reading: Reading): void {
  for (const { at, path, role, isKey } of reading.files) {
    readNamed(reading, at, path, {
      ...(role === "source" ? { links: "none" as const } : {}),
      ...(isKey ? { spot: "key" as const } : {}),
    });
  }
  for (const [index, folder] of reading.manifest.include.entries()) {
    if (!isFolderInside(reading.root, folder))
      addFault(reading, ["include", index], `include folder does not exist in the task folder · "${folder}"`);
  }
}

function readSources(reading: Reading): FileTree {
  const { root, manifest } = reading;
  const isSource = matcherOf(manifest.sources);
  const globbed = manifest.sources
    .filter(isGlob)
    .flatMap((glob) => filesBelow(root, globFolder(glob)).filter(isSource));
  const literals = manifest.sources.filter((entry) => !isGlob(entry));
  const tree = new Map<string, string>();
  for (const path of [...new Set([...literals, ...globbed])].sort()) {
    // A literal was checked by its own key already; asking again would name its fault twice.
    tree.set(
      path,
      literals.includes(path)
        ? (peek(reading, path) ?? "")
        : readNamed(reading, ["sources"], path, { links: "none" }),
    );
  }
  if (tree.size === 0)
    addFault(
      reading,
      ["sources"],
      `sources match no file · ${JSON.stringify(manifest.sources)}`,
      "name at least one file that exists",
    );
  return tree;
}

function recorded(reading: Reading, path: string): RecordedPatch {
  return { path, bytes: peek(reading, path) ?? "" };
}

function notesOf({ manifest }: Reading): string[] {
  const flags = layerNames.flatMap((layer) =>
    manifest[layer].flatMap(({ cxxflags, sanitize }) => completeFlags(cxxflags, sanitize).notes),
  );
  const shown = new Set(manifest.visible.flatMap(({ sources }) => sources));
  const same = [...manifest.hidden, ...manifest.reserve]
    .flatMap(({ sources }) => sources)
    .filter((path) => shown.has(path));
  return [
    ...new Set([
      ...flags,
      ...same.map((path) => `${path} is shown to the model and hidden from it at once: it hides nothing`),
    ]),
  ];
}
