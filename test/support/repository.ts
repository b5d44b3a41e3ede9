/** Where this repository's files are. */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Absolute path of a file, named relative to the repository. */
export function inRepository(path: string): string {
  return `${root}${path}`;
}
