/** A translation unit as one text that can stand in a namespace, and the system headers that go before it. */
import { dirname, join } from "node:path/posix";
import type { FileTree } from "../../model/task.ts";

/** One unit with its own headers inlined. */
export interface FlatUnit {
  /** Names of system headers, as they are written between angle brackets. */
  readonly system: readonly string[];
  readonly text: string;
  /** The files that went into it. */
  readonly files: ReadonlySet<string>;
}

const includeLine = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)[^\n]*$/gm;
const onceLine = /^[ \t]*#[ \t]*pragma[ \t]+once\b[^\n]*$/gm;
const defineLine = /^[ \t]*#[ \t]*define[ \t]+(\w+)/gm;

/**
 * Inlines each header once, where it is first included. Macros are taken back at the end, so that the same text
 * can follow again. What this makes of a unit with tricks of the preprocessor may not compile; then nothing is
 * compared, and nothing is claimed.
 *
 * @param isKnown Headers that are declared already, and are left out.
 */
export function flatten(
  unit: string,
  files: FileTree,
  includeDirs: readonly string[],
  isKnown: (path: string) => boolean = () => false,
): FlatUnit {
  const system = new Set<string>();
  const seen = new Set<string>();
  const inline = (path: string): string => {
    seen.add(path);
    const text = (files.get(path) ?? "").replace(onceLine, "");
    return text.replace(includeLine, (_line, quoted: string | undefined, angled: string | undefined) => {
      const name = quoted ?? angled ?? "";
      const folders = quoted === undefined ? includeDirs : [dirname(path), ...includeDirs];
      const found = folders.map((folder) => join(folder, name)).find((file) => files.has(file));
      if (found === undefined) system.add(name);
      return found === undefined || seen.has(found) || isKnown(found) ? "" : inline(found);
    });
  };
  const text = inline(unit);
  const macros = new Set(Array.from(text.matchAll(defineLine), (match) => match[1]));
  const undone = [...macros].map((name) => `\n#undef ${name}`).join("");
  return { system: [...system], text: `${text}${undone}\n`, files: seen };
}
