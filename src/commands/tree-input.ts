/** Sources as they lie in another folder, for `grade --tree`. */
import { statSync } from "node:fs";
import { GraderError } from "../model/errors.ts";
import { globFolder, isGlob, matcherOf } from "../model/manifest-paths.ts";
import type { FileTree, Task } from "../model/task.ts";
import { filesBelow, readInside, realRoot } from "../task/files.ts";

/** The files in `folder` that the task's `sources` name. @throws GraderError 66 when one of them can't be read. */
export function readTree(task: Pick<Task, "manifest">, folder: string): FileTree {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new GraderError(66, `no such folder · ${folder}`, { hint: "name a folder that holds the sources" });
  const root = realRoot(folder);
  const { sources } = task.manifest;
  const isSource = matcherOf(sources);
  const found = sources.filter(isGlob).flatMap((glob) => filesBelow(root, globFolder(glob)).filter(isSource));
  const paths = [...new Set([...sources.filter((entry) => !isGlob(entry)), ...found])].sort();
  return new Map(
    paths.map((path) => {
      const read = readInside(root, path, "none");
      if ("bytes" in read) return [path, read.bytes] as const;
      throw new GraderError(66, `a source ${read.fault} · ${path} in ${folder}`, {
        hint: "the folder needs every source of the manifest, under the same relative path",
      });
    }),
  );
}
