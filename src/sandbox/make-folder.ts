/** Folders with all that is missing above them. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder one step at a time. Node's own recursive way never ends below `/proc`, where a folder is refused
 * with the code that means that its parent is missing.
 *
 * @param path Absolute.
 * @throws whatever the system says, with its `code`.
 */
export function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Somebody else was quicker.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
