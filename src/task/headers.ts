/** Which files are laid beside the candidate's sources for its own compiles: headers, and never a test or its helpers. */
import { dirname } from "node:path/posix";
import type { FileTree } from "../model/task.ts";
import { isHeader } from "../model/task.ts";
import { includedFiles } from "../model/test-unit.ts";
import { filesBelow } from "./files.ts";
import { addFault, peek, type Reading } from "./reading.ts";

const mostHeaders = 4096;

/** Headers of `include` folders, those beside translation units, and whatever else the sources include. */
export function readHeaders(reading: Reading, sources: FileTree, includeDirs: readonly string[]): FileTree {
  const { root, manifest, files } = reading;
  const named = new Set(files.filter(({ role }) => role !== "source").map(({ path }) => path));
  const tests = testFolders(reading, sources);
  const reached = reachedFrom(reading, sources, includeDirs);
  const below = manifest.include
    .flatMap((folder) => filesBelow(root, folder))
    .filter((path) => isHeader(path) || !/\.[^/]*$/.test(path));
  const folders = new Set([...sources.keys()].map(dirname));
  const beside = [...folders].flatMap((folder) =>
    filesBelow(root, folder).filter((path) => dirname(path) === folder && isHeader(path)),
  );
  const wanted = [...new Set([...below, ...beside, ...reached])].filter((path) => {
    if (sources.has(path) || named.has(path) || tests.own.some((folder) => path.startsWith(`${folder}/`)))
      return false;
    return reached.has(path) || !tests.shared.has(dirname(path));
  });
  if (wanted.length > mostHeaders) {
    addFault(
      reading,
      ["include"],
      `include folders hold ${wanted.length} headers · at most ${mostHeaders}`,
      "name narrower folders",
    );
    return new Map();
  }
  return readTree(reading, wanted.sort());
}

function readTree(reading: Reading, paths: readonly string[]): FileTree {
  const tree = new Map<string, string>();
  for (const path of paths) {
    const bytes = peek(reading, path);
    if (bytes === undefined)
      addFault(
        reading,
        ["include"],
        `header can't be read, is too large, or is a link out of the task folder · "${path}"`,
      );
    else tree.set(path, bytes);
  }
  return tree;
}

/**
 * Folders of tests. `own` hold no source anywhere below: all in them is the tests'. In `shared` ones
 * tests and sources lie side by side, so a header there counts only if a source includes it.
 */
function testFolders(reading: Reading, sources: FileTree): { own: string[]; shared: Set<string> } {
  const roles = new Set(["visible", "hidden", "reserve"]);
  const folders = new Set(
    reading.files.filter(({ role }) => roles.has(role)).map(({ path }) => dirname(path)),
  );
  const isOwn = (folder: string) =>
    folder !== "." && ![...sources.keys()].some((path) => path.startsWith(`${folder}/`));
  return {
    own: [...folders].filter(isOwn),
    shared: new Set([...folders].filter((folder) => !isOwn(folder))),
  };
}

/** Files that the sources include, directly or through others. */
function reachedFrom(reading: Reading, sources: FileTree, includeDirs: readonly string[]): Set<string> {
  const readFile = (path: string) => sources.get(path) ?? peek(reading, path);
  const reached = new Set<string>();
  const queue = [...sources.keys()];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const found of includedFiles(path, readFile(path) ?? "", { includeDirs, readFile })) {
      if (reached.has(found) || sources.has(found)) continue;
      reached.add(found);
      queue.push(found);
    }
  }
  return reached;
}
