/** Leads a finding about an object or a signature back to a line of the patched sources. Pure. */
import type { FileTree } from "../../model/task.ts";
import { facilities } from "./c-library.ts";
import { type LexOptions, lex, type Token } from "./lexer.ts";
import { allTokens, type FileHit, type Hit } from "./source-rule.ts";

/** The hit with the file and line that most likely caused it; as it was where none is found. */
export function located(
  hit: Hit | FileHit,
  before: FileTree,
  after: FileTree,
  options: LexOptions,
): Hit | FileHit {
  if (hit.line > 0) return hit;
  const words = wordsFor(hit);
  let second: FileHit | undefined;
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    const known = new Set((before.get(path) ?? "").split("\n"));
    const lines = text.split("\n");
    for (const token of allTokens(lex(text, options))) {
      if (!matches(token, words)) continue;
      const found = { ...hit, file: path, line: token.line };
      if (!known.has(lines[token.line - 1] ?? "")) return found;
      second ??= found;
    }
  }
  return second ?? hit;
}

function matches(token: Token, words: ReadonlySet<string>): boolean {
  return (
    (token.kind === "word" && words.has(token.text)) ||
    (token.kind === "header" && words.has(token.text.slice(1, -1)))
  );
}

/** How a source may spell what a hit names. */
function wordsFor({ kind, detail }: Hit): ReadonlySet<string> {
  const facility = kind === "symbol-use" ? facilities.find(({ word }) => word === detail) : undefined;
  if (facility) return new Set(facility.spelled);
  if (kind === "signature") return new Set([detail.replace(/\(.*$/, "").split("::").at(-1) ?? ""]);
  if (/^_Z[nd][wal]/.test(detail)) return new Set(["operator"]);
  if (detail.startsWith("_Z")) return new Set(mangledNames(detail));
  const bare = detail.replace(/^__(isoc\d+_)?/, "").replace(/(64|_chk|_2)$/, "");
  return new Set([detail, bare, detail === "syscall" ? "asm" : ""]);
}

/** The identifiers in a mangled name: each is written with its length before it. */
function mangledNames(mangled: string): string[] {
  const names: string[] = [];
  for (const match of mangled.matchAll(/\d+/g)) {
    const start = match.index + match[0].length;
    names.push(mangled.slice(start, start + Number(match[0])));
  }
  return names;
}
