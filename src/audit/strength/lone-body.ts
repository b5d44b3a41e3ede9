/** The sources as a compiler makes code of one function alone, with all others still there to be inlined into it. */
import type { FileTree } from "../../model/task.ts";
import { applyEdits, type Body, type Edit } from "../mutate/mutant.ts";

/**
 * Code of the other functions is the same in every copy of a unit, and takes nearly all of the compiler's time. The
 * attributes are GCC's: `used` emits a function that nobody calls, `gnu_inline` emits none in any case. What has to be
 * emitted besides, such as instances of templates that the function calls, still is.
 *
 * @param edits What to change in the body.
 */
export function loneBody(
  files: FileTree,
  bodies: readonly Body[],
  body: Body,
  edits: readonly Edit[],
): FileTree {
  const result = new Map(files);
  for (const [file, text] of files) {
    const here = bodies.filter((each) => each.file === file).flatMap((each) => headEdits(each, body));
    const all = file === body.file ? [...here, ...edits] : here;
    const sorted = [...all].sort((a, b) => a.start - b.start);
    if (sorted.length > 0) result.set(file, applyEdits(text, sorted));
  }
  return result;
}

function headEdits(each: Body, body: Body): Edit[] {
  const before = (text: string) => [{ start: each.head, end: each.head, text }];
  if (each.file === body.file && each.start === body.start) return before("__attribute__((used)) ");
  return each.isExported ? before("__attribute__((gnu_inline)) inline ") : [];
}
