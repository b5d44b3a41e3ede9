/** One fault of a manifest, and how several of them become one error. */
import { GraderError, type Location } from "./errors.ts";

/** One thing that is wrong with a manifest. */
export interface Fault {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly location: Location;
}

/** Throws exit 65 if there are faults: the first in the file gives location and hint, the others are listed below it. */
export function throwFaults(faults: readonly Fault[]): void {
  const [first, ...others] = [...faults].sort(
    (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
  );
  if (first === undefined) return;
  const lines = others.map(({ message, hint, location: { file, line, column } }) => {
    return `also ${file}:${line}:${column}: ${message}${hint === undefined ? "" : ` · hint: ${hint}`}`;
  });
  throw new GraderError(65, [first.message, ...lines].join("\n"), {
    location: first.location,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
  });
}
