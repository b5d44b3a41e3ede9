/** One text from a test file and the helpers that it includes, so that no test need exist as a file where candidate code compiles. */
import { dirname, join } from "node:path";
import { GraderError } from "./errors.ts";
import { tidyPath } from "./manifest-paths.ts";

/** What `inlineTestIncludes` may look at. All texts are bytes as latin1 strings. */
export interface IncludeWorld {
  /** Folders searched after the includer's own, relative to the task folder. */
  readonly includeDirs: readonly string[];
  /** Whether the compiler will find this file by itself: a candidate source, or a header laid beside them. */
  readonly isShared: (path: string) => boolean;
  /** The file's text, or `undefined` if there is none. Asked for shared files too. */
  readonly readFile: (path: string) => string | undefined;
}

/** A helper that was inlined, and the neutral name that diagnostics call it by. */
export interface InlinedFile {
  readonly path: string;
  readonly name: string;
}

/** A test as the compiler is given it. */
export interface TestUnit {
  readonly text: string;
  /** Every file that went into the text, the test itself first. */
  readonly files: readonly InlinedFile[];
}

const deepest = 32;
const largest = 8 * 1024 * 1024;
const includeLine = /^\s*#\s*include\s*(?:"([^"\n]+)"|<([^>\n]+)>)/;
const onceLine = /^\s*#\s*pragma\s+once\b/;
const guarded = /^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b/;

/**
 * Inlines the test's own helpers, recursively, with `#line` directives under neutral names: a path or a
 * file name of the oracle in `__FILE__` would end up as text in the binary.
 *
 * An include of a shared file stays; if the compiler, which reads a pipe in the task's folder, would not
 * find it as written, it is rewritten to the path from that folder. What leads nowhere stays as it is.
 * `#pragma once` becomes a guard macro and not "inline the first time only": the first time may stand
 * in an inactive `#if`.
 */
export function inlineTestIncludes(testPath: string, text: string, world: IncludeWorld): TestUnit {
  const unit: Unit = { world, files: new Map(), size: 0, testPath };
  const inlined = inline(unit, testPath, text, []);
  return { text: inlined, files: [...unit.files].map(([path, name]) => ({ path, name })) };
}

/** The files that a text includes, resolved: to see which headers a set of files reaches. */
export function includedFiles(path: string, text: string, world: Omit<IncludeWorld, "isShared">): string[] {
  const exists = (file: string) => world.readFile(file) !== undefined;
  return codeLines(text).flatMap(({ line, isCode }) => {
    const match = isCode ? includeLine.exec(line) : null;
    const found = match === null ? undefined : resolve(path, match, world.includeDirs, exists);
    return found === undefined ? [] : [found];
  });
}

interface Unit {
  readonly world: IncludeWorld;
  readonly files: Map<string, string>;
  readonly testPath: string;
  size: number;
}

function inline(unit: Unit, path: string, text: string, stack: readonly string[]): string {
  const name = nameOf(unit, path);
  const below = [...stack, path];
  const lines = codeLines(text).map(({ line, isCode }, index) => {
    if (!isCode) return line;
    if (onceLine.test(line)) return line.endsWith("\r") ? "\r" : "";
    const match = includeLine.exec(line);
    return match === null ? line : includeText(unit, { line, match, path, next: index + 2 }, below);
  });
  unit.size += text.length;
  if (unit.size > largest) throw tooLarge(unit.testPath);
  const body = `#line 1 "${name}"\n${lines.join("\n")}`;
  // Of the test itself there is only one, so it needs no guard.
  return stack.length > 0 && hasOnce(text) ? guard(name, body) : body;
}

interface Include {
  readonly line: string;
  readonly match: RegExpExecArray;
  readonly path: string;
  /** Number of the line after the include. */
  readonly next: number;
}

function includeText(unit: Unit, { line, match, path, next }: Include, stack: readonly string[]): string {
  const { world } = unit;
  const found = resolve(path, match, world.includeDirs, (file) => world.readFile(file) !== undefined);
  const text = found === undefined ? undefined : world.readFile(found);
  if (found === undefined || text === undefined) return line;
  if (world.isShared(found)) return shared(line, match, found, world);
  const isCycle = stack.includes(found);
  if (isCycle && (hasOnce(text) || guarded.test(text))) return "";
  if (stack.length > deepest) throw tooDeep(unit.testPath);
  return `${inline(unit, found, text, stack)}\n#line ${next} "${nameOf(unit, path)}"`;
}

/** The include as the compiler will find it: as written if it searches the same way, else from the task's folder. */
function shared(line: string, match: RegExpExecArray, found: string, world: IncludeWorld): string {
  const written = decode(match[1] ?? match[2] ?? "");
  const folders = match[1] === undefined ? world.includeDirs : [".", ...world.includeDirs];
  const first = folders
    .map((folder) => inside(folder, written))
    .find((path) => path !== undefined && world.isShared(path) && world.readFile(path) !== undefined);
  // A path through `..` holds only while every folder on it exists, and empty ones are not laid.
  if (first === found && !written.includes("..")) return line;
  return line.replace(/["<][^">\n]+[">]/, () => `"${encode(found)}"`);
}

function resolve(
  from: string,
  match: RegExpExecArray,
  includeDirs: readonly string[],
  exists: (path: string) => boolean,
): string | undefined {
  const written = decode(match[1] ?? match[2] ?? "");
  if (written.startsWith("/") || written.includes("\\")) return undefined;
  const folders = match[1] === undefined ? includeDirs : [dirname(from), ...includeDirs];
  return folders
    .map((folder) => inside(folder, written))
    .find((path): path is string => path !== undefined && exists(path));
}

function inside(folder: string, written: string): string | undefined {
  const path = join(folder, written);
  return path.startsWith("../") || path.startsWith("/") ? undefined : tidyPath(path);
}

function nameOf(unit: Unit, path: string): string {
  const known = unit.files.get(path);
  if (known !== undefined) return known;
  const name = unit.files.size === 0 ? "=test.cpp" : `=helper${unit.files.size}.hpp`;
  unit.files.set(path, name);
  return name;
}

function hasOnce(text: string): boolean {
  return codeLines(text).some(({ line, isCode }) => isCode && onceLine.test(line));
}

function guard(name: string, body: string): string {
  const macro = `TEST${name.replace(/\W/g, "_").toUpperCase()}_ONCE`;
  return `#ifndef ${macro}\n#define ${macro}\n${body}\n#endif`;
}

interface CodeLine {
  readonly line: string;
  /** False where the line begins within a comment or a raw string. */
  readonly isCode: boolean;
}

// What may hide a directive: comments, raw strings, and literals in which the openers of those mean nothing.
const opener =
  /\/\/.*|\/\*|\bu?8?[uUL]?R"([^()\\\s]{0,16})\(|"(?:\\.|[^"\\])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\])+'/g;

/** The lines of a text, each with whether a directive on it counts. */
function codeLines(text: string): CodeLine[] {
  let close: string | undefined;
  return text.split("\n").map((line) => {
    const isCode = close === undefined;
    close = closerAfter(line, close);
    return { line, isCode };
  });
}

/** What ends the comment or raw string that is open at the end of a line, if one is. */
function closerAfter(line: string, open: string | undefined): string | undefined {
  let at = 0;
  let close = open;
  for (;;) {
    if (close !== undefined) {
      const end = line.indexOf(close, at);
      if (end < 0) return close;
      at = end + close.length;
    }
    opener.lastIndex = at;
    let match = opener.exec(line);
    while (match !== null && match[0] !== "/*" && match[1] === undefined) match = opener.exec(line);
    if (match === null) return undefined;
    close = match[1] === undefined ? "*/" : `)${match[1]}"`;
    at = match.index + match[0].length;
  }
}

function tooDeep(path: string): GraderError {
  return new GraderError(65, `test includes are nested more than ${deepest} deep · ${path}`, {
    hint: "give the helpers #pragma once",
  });
}

function tooLarge(path: string): GraderError {
  return new GraderError(65, `test and its helpers come to more than 8 MiB · ${path}`, {
    hint: "include fewer helpers, or give them #pragma once",
  });
}

function decode(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

function encode(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}
