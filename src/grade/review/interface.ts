/** What a patch does to the public interface: functions and data that headers offered before and after. Pure. */
import { type FileTree, isHeader } from "../../model/task.ts";
import { publicNames } from "../hygiene/declarations.ts";
import { lex } from "../hygiene/lexer.ts";

/** Declarations that are new, and those that are gone; each as one line. */
export interface InterfaceChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares what two trees of headers declare for others. A changed declaration is one removed and one added. */
export function compareInterfaces(before: FileTree, after: FileTree): InterfaceChange {
  const [old, now] = [declared(before), declared(after)];
  return {
    added: [...now].filter((line) => !old.has(line)).sort(),
    removed: [...old].filter((line) => !now.has(line)).sort(),
  };
}

function declared(tree: FileTree): Set<string> {
  const headers = [...tree].filter(([path]) => isHeader(path));
  const lines = headers.flatMap(([, text]) => {
    const { functions, fields } = publicNames(lex(text).tokens);
    const scope = (namespaces: readonly string[], owner: string | undefined, name: string) =>
      [...namespaces, ...(owner === undefined ? [] : [owner]), name].join("::");
    return [
      ...functions.map(
        (f) =>
          `${f.returns} ${scope(f.namespaces, f.owner?.name, f.name)}(${f.parameters.join(", ")})${f.isConst ? " const" : ""}`,
      ),
      ...fields.map((f) => `${f.declared} in ${scope(f.namespaces, undefined, f.owner.name)}`),
    ];
  });
  return new Set(lines.map(tidy));
}

/** Declarations are read token by token; people write no blanks around a scope or before an angle. */
function tidy(line: string): string {
  return line
    .replace(/\s*(::|<|>)\s*/g, "$1")
    .replace(/>(?=\w)/g, "> ")
    .replace(/\s+([&*])/g, "$1");
}
