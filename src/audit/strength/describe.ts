/** A mutant as reports show it: places in lines and columns, and a small diff. */
import type { MutantFate, Position, ReportedMutant } from "../../model/strength.ts";
import type { FileTree } from "../../model/task.ts";
import { applyMutant, type Mutant } from "../mutate/mutant.ts";
import { renderMutant } from "../mutate/render.ts";

/** Everything that a report needs of one mutant. */
export function describeMutant(files: FileTree, mutant: Mutant, fate: MutantFate): ReportedMutant {
  const text = files.get(mutant.file) ?? "";
  const start = mutant.edits[0]?.start ?? 0;
  const end = mutant.edits.at(-1)?.end ?? start;
  const mutated = applyMutant(files, mutant).get(mutant.file) ?? "";
  const { id, file, operator, family, meaning } = mutant;
  return {
    id,
    file,
    start: positionOf(text, start),
    end: positionOf(text, end),
    operator,
    family,
    replacement: mutated.slice(start, end + mutated.length - text.length),
    meaning,
    diff: renderMutant(files, mutant),
    fate,
  };
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
