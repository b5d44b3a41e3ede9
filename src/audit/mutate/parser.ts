/** C++ text → syntax tree, with the tree-sitter grammar. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Parser, TreeCursor } from "web-tree-sitter";
import { packageFile } from "../../grade/package-file.ts";
import { GraderError } from "../../model/errors.ts";
import type { Syntax } from "./syntax.ts";

let loading: Promise<Parser> | undefined;

/** Beside the built program, or where npm has put it when the sources run. */
async function wasm(library: string): Promise<Uint8Array> {
  const places = [`dist/${library}.wasm`, `node_modules/${library}/${library}.wasm`].map(packageFile);
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new GraderError(70, `a file of the program is missing · dist/${library}.wasm`, {
      hint: "install hidden-oracle again",
    });
  return new Uint8Array(await readFile(found));
}

async function load(): Promise<Parser> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ wasmBinary: await wasm("web-tree-sitter") });
  const parser = new Parser();
  return parser.setLanguage(await Language.load(await wasm("tree-sitter-cpp")));
}

/** Where the cursor stands, with everything below, as plain objects: reading nodes of the library is slow. */
function copy(cursor: TreeCursor, text: string, parent: Syntax | null): Syntax {
  const children: Syntax[] = [];
  const node: Syntax = {
    type: cursor.nodeIsMissing ? "MISSING" : cursor.nodeType,
    field: cursor.currentFieldName,
    named: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    line: cursor.startPosition.row + 1,
    text: text.slice(cursor.startIndex, cursor.endIndex),
    parent,
    children,
  };
  if (cursor.gotoFirstChild()) {
    do children.push(copy(cursor, text, node));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return node;
}

/**
 * Parses one file. What the grammar does not understand becomes a node of type `ERROR`; the rest is still there.
 * @throws GraderError 70 when the grammar is missing from the installation.
 */
export async function parseCpp(text: string): Promise<Syntax> {
  loading ??= load();
  const tree = (await loading).parse(text);
  if (tree === null) throw new GraderError(70, "the C++ parser gave no tree", { hint: "report this" });
  const cursor = tree.walk();
  try {
    return copy(cursor, text, null);
  } finally {
    cursor.delete();
    tree.delete();
  }
}
