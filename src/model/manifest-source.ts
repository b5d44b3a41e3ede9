/** The manifest's text as a JSON tree that remembers where each value stands. */
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { Location } from "./errors.ts";
import type { Fault } from "./manifest-fault.ts";

/** Where to point: at the value that a path leads to, or at the key before it. */
export type Spot = "key" | "value";

/** A parsed manifest file: its value, what is wrong with its text, and where things are. */
export interface ManifestSource {
  readonly value: unknown;
  /** Faults of the text itself: syntax, duplicate keys. With any, `value` is not to be used. */
  readonly faults: readonly Fault[];
  /** Where the value (or the key) at `path` stands; the nearest enclosing value if there is none. */
  readonly locate: (path: JSONPath, spot?: Spot) => Location;
}

const deepest = 32;

/** Reads JSON with `//` and block comments; no trailing commas. */
export function readManifestSource(text: string, file: string): ManifestSource {
  const json = text.replace(/^\uFEFF/, "");
  const at = (offset: number): Location => ({ file, ...position(json, offset) });
  const deep = firstTooDeep(json);
  if (deep !== undefined) {
    const fault = { message: `brackets are nested more than ${deepest} deep`, location: at(deep) };
    return { value: undefined, faults: [fault], locate: () => at(0) };
  }
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { allowTrailingComma: false, disallowComments: false });
  const first = errors[0];
  if (first !== undefined || root === undefined) {
    const fault =
      first === undefined ? { message: "the file is empty", location: at(0) } : syntaxFault(json, first, at);
    return { value: undefined, faults: [fault], locate: () => at(0) };
  }
  return {
    value: getNodeValue(root),
    faults: keyFaults(root, at),
    locate: (path, spot) => at(offsetOf(root, path, spot)),
  };
}

const syntaxWords: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is not JSON",
  InvalidNumberFormat: "this is not a JSON number",
  PropertyNameExpected: "a key in double quotes is missing here",
  ValueExpected: "a value is missing here",
  ColonExpected: "a colon is missing here",
  CommaExpected: "a comma is missing here",
  CloseBraceExpected: "a closing } is missing here",
  CloseBracketExpected: "a closing ] is missing here",
  EndOfFileExpected: "there is text after the end of the manifest",
  UnexpectedEndOfString: "this text has no closing quote",
  UnexpectedEndOfComment: "this comment has no end",
  InvalidUnicode: "this \\u escape is not valid",
  InvalidEscapeCharacter: "this escape is not valid",
  InvalidCharacter: "this character must be escaped",
};

function syntaxFault(json: string, error: ParseError, at: (offset: number) => Location): Fault {
  const code = printParseErrorCode(error.error);
  const trailing = /,\s*$/.test(json.slice(0, error.offset)) && /^[}\]]/.test(json.slice(error.offset));
  const shown = json.slice(error.offset, error.offset + Math.max(1, Math.min(error.length, 20))).trim();
  const got = shown === "" ? "" : ` · got ${JSON.stringify(shown)}`;
  return {
    message: `not valid JSON: ${trailing ? "the comma before this is one too many" : (syntaxWords[code] ?? code)}${got}`,
    hint: trailing ? "remove the comma" : "repair the file there; docs/manifest.md shows a whole one",
    location: at(error.offset),
  };
}

/** jsonc-parser recurses, so a hostile depth would overflow the stack before any check of ours. */
function firstTooDeep(json: string): number | undefined {
  const scanner = createScanner(json, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < json.length; scanner.scan()) {
    const start = json.charAt(scanner.getTokenOffset());
    if (start === "{" || start === "[") depth += 1;
    if (start === "}" || start === "]") depth -= 1;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return undefined;
}

/** Duplicate keys: JSON readers disagree on which one counts, so neither may. */
function keyFaults(node: Node, at: (offset: number) => Location): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0] : undefined;
    if (key !== undefined) {
      const name = String(key.value);
      const before = seen.get(name);
      if (before !== undefined) {
        faults.push({
          message: `key "${name}" is there twice, first on line ${at(before).line}`,
          hint: "keep one of them",
          location: at(key.offset),
        });
      } else if (name === "__proto__") {
        faults.push({ message: 'unknown key "__proto__"', hint: "remove it", location: at(key.offset) });
      }
      seen.set(name, before ?? key.offset);
    }
    faults.push(...keyFaults(child, at));
  }
  return faults;
}

function offsetOf(root: Node, path: JSONPath, spot: Spot = "value"): number {
  const node = findNodeAtLocation(root, [...path]);
  if (node === undefined) return path.length === 0 ? root.offset : offsetOf(root, path.slice(0, -1), spot);
  const property = node.parent;
  return spot === "key" && property?.type === "property" ? property.offset : node.offset;
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
