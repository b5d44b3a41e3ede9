/** Takes an assembler file apart by the namespaces that its symbols are in, and makes the parts comparable. */
import { sha256 } from "../../model/task.ts";

/** Namespace of copy `n`; all names have the same length, so that mangled names differ in nothing else. */
export function namespaceOf(n: number): string {
  return `q${String(n).padStart(5, "0")}q`;
}

const inNamespace = /q(\d{5})q/;
const label = /^(\.L[\w.]+):/;
const noise =
  /^\s*(?:\.cfi_|\.globl|\.local|\.weak|\.hidden|\.text|\.section|\.align|\.p2align|\.loc |\.file|\.ident|#|$)/;

/** What comes behind it, such as a text that the standard library's functions share, belongs to no copy. */
const endOfFunction = /^\s*\.size\s+[^,]+,\s*\.-/;

/** Digest of the code and data of each copy, by its number; of a copy without any there is none. */
export function codeByCopy(assembly: string): Map<number, string> {
  const constants = constantsOf(assembly);
  const parts = new Map<number, Map<string, string[]>>();
  let current: string[] | undefined;
  for (const line of assembly.split("\n")) {
    const symbol = /^\s*\.(?:type|comm)\s+([\w.$]+)/.exec(line)?.[1];
    if (symbol !== undefined) current = openPart(parts, symbol);
    if (!noise.test(line) || /^\s*\.comm/.test(line)) current?.push(line);
    if (endOfFunction.test(line)) current = undefined;
  }
  return new Map(
    [...parts].map(([number, symbols]) => [
      number,
      sha256(
        [...symbols]
          .sort(byName)
          .map(([, lines]) => plain(lines, constants))
          .join("\n\n"),
      ),
    ]),
  );
}

/** The lines of a symbol, or undefined for one that is in no copy. */
function openPart(parts: Map<number, Map<string, string[]>>, symbol: string): string[] | undefined {
  const number = inNamespace.exec(symbol)?.[1];
  if (number === undefined) return undefined;
  const symbols = parts.get(Number(number)) ?? new Map<string, string[]>();
  parts.set(Number(number), symbols);
  const name = symbol.replace(new RegExp(inNamespace, "g"), "");
  const lines = symbols.get(name) ?? [];
  symbols.set(name, lines);
  return lines;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Numbers of labels and of copies say nothing; what a constant's label stands for says everything. */
function plain(lines: readonly string[], constants: ReadonlyMap<string, string>): string {
  const seen = new Map<string, string>();
  const rename = (name: string) => {
    const known = constants.get(name) ?? seen.get(name);
    if (known !== undefined) return known;
    seen.set(name, `.L${seen.size}`);
    return `.L${seen.size - 1}`;
  };
  return lines
    .filter((line) => !/^\s*\.size/.test(line))
    .map((line) => line.replace(/\.L[\w.]+/g, rename).replace(new RegExp(inNamespace, "g"), "q"))
    .join("\n");
}

/** What is stored under each label of a constant: text, numbers. */
function constantsOf(assembly: string): Map<string, string> {
  const constants = new Map<string, string>();
  let name: string | undefined;
  for (const line of assembly.split("\n")) {
    const opened = label.exec(line)?.[1];
    if (opened !== undefined) name = opened.startsWith(".LC") ? opened : undefined;
    else if (name !== undefined && /^\s*\.(?:string|ascii|byte|value|long|quad|zero)/.test(line))
      constants.set(name, `${constants.get(name) ?? ""}<${line.trim()}>`);
    else name = undefined;
  }
  return constants;
}
