/** Files that ship beside the built program: the C sources of the launcher, schemas, examples. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GraderError } from "../model/errors.ts";

/** Absolute path of a file of this package, from the built program as well as from its sources. */
export function packageFile(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return join(folder, name);
    if (folder === dirname(folder))
      throw new GraderError(70, `a file of the program is missing · ${name}`, {
        hint: "install hidden-oracle again",
      });
  }
}
