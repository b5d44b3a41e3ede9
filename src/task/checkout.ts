/** From a loaded task to the files that an agent is given: what anybody may see, under its own paths. */
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Bytes, Task } from "../model/task.ts";
import { readInside, realRoot } from "./files.ts";

/**
 * Sources, public headers, and the tests of the visible layer with the helpers that went into them.
 *
 * @throws GraderError 65 when a helper can't be read any more.
 */
export function checkoutOf(task: Task): Map<string, Bytes> {
  const files = new Map<string, Bytes>([...task.sources, ...task.headers]);
  for (const { sources } of task.layers.visible)
    for (const source of sources) {
      files.set(source.path, source.text);
      for (const { path } of source.files) if (!files.has(path)) files.set(path, helper(task, path));
    }
  return files;
}

function helper({ root }: Task, path: string): Bytes {
  const read = readInside(realRoot(root), path);
  if ("bytes" in read) return read.bytes;
  throw new GraderError(ExitCode.badTask, `a helper of the shown tests ${read.fault} · ${path}`, {
    hint: "put the task back as it was",
  });
}
