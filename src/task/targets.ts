/** The targets of each layer with their files read and their helpers inlined. */
import type { JSONPath } from "jsonc-parser";
import type { ContentRef, LayerName, TargetSpec } from "../model/manifest.ts";
import { matcherOf, pathFault } from "../model/manifest-paths.ts";
import type { CaseInput } from "../model/manifest-schema.ts";
import {
  type FileTree,
  type Target,
  type TestCase,
  type TestSource,
  targetName,
  targetOf,
} from "../model/task.ts";
import { inlineTestIncludes } from "../model/test-unit.ts";
import { filesBelow } from "./files.ts";
import { addFault, peek, type Reading, readNamed } from "./reading.ts";

/** What the tests of a task may include. */
export interface Surroundings {
  readonly sources: FileTree;
  readonly headers: FileTree;
  readonly includeDirs: readonly string[];
}

/** All targets of one layer. */
export function readLayer(reading: Reading, layer: LayerName, around: Surroundings): Target[] {
  const specs = reading.manifest[layer];
  return specs.map((spec, index) => {
    const at = [layer, index];
    return targetOf(layer, targetName(layer, index, specs.length), spec, {
      sources: spec.sources.map((path) => readTest(reading, path, around)),
      cases: readCases(reading, [...at, "cases"], spec),
      stdin: spec.stdin === undefined ? undefined : readContent(reading, [...at, "stdin"], spec.stdin),
    });
  });
}

/** That the file is there was checked with all named files; here it only has to be read. */
function readTest(reading: Reading, path: string, around: Surroundings): TestSource {
  const text = peek(reading, path) ?? "";
  const isSource = matcherOf(reading.manifest.sources);
  const unit = inlineTestIncludes(path, text, {
    includeDirs: around.includeDirs,
    isShared: (file) => isSource(file) || around.headers.has(file),
    readFile: (file) => around.sources.get(file) ?? peek(reading, file),
  });
  return { path, text, unit: unit.text, files: unit.files };
}

function readCases(reading: Reading, at: JSONPath, { cases }: TargetSpec): TestCase[] {
  if (cases === undefined) return [];
  if (typeof cases === "string") return readCaseFolder(reading, at, cases);
  return cases.map((item, index) => readCase(reading, [...at, index], item, index));
}

function readCase(reading: Reading, at: JSONPath, item: CaseInput, index: number): TestCase {
  return {
    name: item.name ?? String(index + 1),
    args: item.args ?? [],
    stdin: readContent(reading, [...at, "stdin"], item.stdin ?? ""),
    ...(item.stdout === undefined ? {} : { stdout: readContent(reading, [...at, "stdout"], item.stdout) }),
    exitCode: item.exitCode ?? 0,
  };
}

function readCaseFolder(reading: Reading, at: JSONPath, folder: string): TestCase[] {
  const inputs = filesBelow(reading.root, folder).filter((path) => path.endsWith(".in"));
  if (inputs.length === 0)
    addFault(
      reading,
      at,
      `no NAME.in file lies below the folder of cases · "${folder}"`,
      "put NAME.in and NAME.ans files there",
    );
  return inputs.map((path) => {
    const stem = path.slice(0, -".in".length);
    return {
      name: stem.slice(folder.length + 1),
      args: [],
      stdin: readNamed(reading, at, path),
      stdout: readNamed(reading, at, `${stem}.ans`),
      exitCode: 0,
    };
  });
}

function readContent(reading: Reading, at: JSONPath, content: ContentRef): string {
  if (typeof content !== "string") return readNamed(reading, [...at, "file"], content.file);
  const looksLikePath = /^\S+$/.test(content) && pathFault(content) === undefined;
  if (looksLikePath && peek(reading, content) !== undefined) {
    addFault(
      reading,
      at,
      `${String(at.at(-1))} is the text itself, and a file of that name exists · "${content}"`,
      `write { "file": "${content}" } to read the file`,
    );
  }
  return Buffer.from(content, "utf8").toString("latin1");
}
