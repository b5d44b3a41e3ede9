/** A PATH that holds some programs of this machine and nothing else. */
import { accessSync, chmodSync, constants, mkdtempSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A folder inside `parent` with links to the named programs. */
export function pathWith(programs: readonly string[], parent: string): string {
  const folder = mkdtempSync(join(parent, "path-"));
  chmodSync(folder, 0o755);
  for (const program of programs) symlinkSync(locate(program), join(folder, program));
  return folder;
}

function locate(program: string): string {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable);
  if (found === undefined) throw new Error(`this machine has no ${program}`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
