/** The system headers that a unit includes before anything else: what a precompiled header may stand for. */
import { dirname, join } from "node:path/posix";

/** Resolves a quoted include to the text of a file of the tree, or undefined. */
export type IncludeLookup = (path: string) => string | undefined;

const skipped = new Set(["cassert", "assert.h"]);
const deepest = 16;

/**
 * The system headers (as written between `<` and `>`) at the start of a unit, in order, looking through
 * quoted includes of the tree, `#pragma once` and include guards. Ends at the first token that could make a
 * difference to what follows: a precompiled header of a prefix of this list, put in front of the unit,
 * changes nothing. `<cassert>` is left out of the list, since it means something new each time.
 */
export function leadingSystemIncludes(
  path: string,
  text: string,
  dirs: readonly string[],
  read: IncludeLookup,
): string[] {
  const found: string[] = [];
  scan({ found, dirs, read, seen: new Set() }, path, text, 0);
  return [...new Set(found)];
}

interface Scan {
  readonly found: string[];
  readonly dirs: readonly string[];
  readonly read: IncludeLookup;
  readonly seen: Set<string>;
}

/** Whether the whole file was preamble, so that its includer may go on. */
function scan(state: Scan, path: string, text: string, depth: number): boolean {
  if (depth > deepest) return false;
  const lines = directives(text);
  const guard = guardOf(lines);
  for (const line of guard === undefined ? lines : lines.slice(2, -1)) {
    // NDEBUG is undefined in every unit anyway.
    if (/^#\s*(pragma\s+once|undef\s+NDEBUG|line\s+\d+.*|\d+\s+".*)$/.test(line)) continue;
    const system = /^#\s*include\s*<([^>]+)>$/.exec(line)?.[1];
    const quoted = /^#\s*include\s*"([^"]+)"$/.exec(line)?.[1];
    if (system !== undefined) {
      if (resolve(state, undefined, system) !== undefined) return false;
      if (!skipped.has(system)) state.found.push(system);
    } else if (quoted === undefined || !enter(state, path, quoted, depth)) return false;
  }
  return true;
}

function enter(state: Scan, from: string, quoted: string, depth: number): boolean {
  const path = resolve(state, from, quoted);
  if (path === undefined) return false;
  if (state.seen.has(path)) return true;
  state.seen.add(path);
  return scan(state, path, state.read(path) ?? "", depth + 1);
}

function resolve(state: Scan, from: string | undefined, name: string): string | undefined {
  const folders = from === undefined ? state.dirs : [dirname(from), ...state.dirs];
  return folders.map((folder) => join(folder, name)).find((path) => state.read(path) !== undefined);
}

/** Lines that hold more than white space, without comments. A line of code reads as itself and ends the scan. */
function directives(text: string): string[] {
  const plain = withoutComments(text.replace(/\\\r?\n/g, "\u0000"));
  return plain
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A text with a blank in place of each comment, in one pass. String literals don't come before the code ends the scan. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("/", at);
    const kind = next < 0 ? "" : text[next + 1];
    if (next < 0 || (kind !== "*" && kind !== "/")) {
      const end = next < 0 ? text.length : next + 1;
      parts.push(text.slice(at, end));
      at = end;
      continue;
    }
    parts.push(text.slice(at, next), " ");
    const close = kind === "*" ? text.indexOf("*/", next + 2) : text.indexOf("\n", next);
    at = close < 0 ? text.length : kind === "*" ? close + 2 : close;
  }
  return parts.join("");
}

/** The macro of an include guard that spans the whole file. */
function guardOf(lines: readonly string[]): string | undefined {
  const name = /^#\s*ifndef\s+(\w+)$/.exec(lines[0] ?? "")?.[1];
  if (name === undefined || !new RegExp(`^#\\s*define\\s+${name}$`).test(lines[1] ?? "")) return undefined;
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    if (/^#\s*if/.test(line)) depth++;
    if (/^#\s*endif\b/.test(line) && --depth === 0) return index === lines.length - 1 ? name : undefined;
  }
  return undefined;
}
