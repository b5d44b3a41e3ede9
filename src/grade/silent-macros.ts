/** Macros that nobody names: what a test is compiled against can do without them. Pure. */
import { type Bytes, type FileTree, isUnit } from "../model/task.ts";
import { spansLines } from "./header-text.ts";

/** A whole definition in one line, of a name in capitals that no compiler and no library reserves for itself. */
const plainDefine = /^#[ \t]*define[ \t]+([A-Z][A-Z0-9_]*)(?:[ \t]+[^"'\\?]*)?$/;
const directive = /^[ \t]*(?:#|%:|\?\?=).*$/gm;
/** What makes names that are written nowhere as such. */
const makesNames = /##|%:%:|\?\?=/;

/** Texts around the sources that a test's compile may read. */
export interface Listeners {
  /** Units of the tests, and flags. */
  readonly texts: readonly Bytes[];
  /** Whether what lies outside of the task, such as the library's headers, names one of these macros. */
  readonly namedOutside: (names: readonly string[]) => boolean;
}

/**
 * The patched files without their new macros that neither headers nor tests nor the library name, or undefined where
 * there are none or it can't be told. Every other line stays in its place. All directives must otherwise be those of
 * the baseline, so that the same files are included.
 *
 * @param before Sources of the baseline.
 * @param after The patched sources, and the task's other headers.
 */
export function withoutSilentMacros(
  before: FileTree,
  after: FileTree,
  { texts, namedOutside }: Listeners,
): FileTree | undefined {
  const changed = [...after].filter(
    ([path, text]) => !isUnit(path) && before.has(path) && before.get(path) !== text,
  );
  const names = new Set(changed.flatMap(([path, text]) => newNames(before.get(path) ?? "", text)));
  if (names.size === 0) return undefined;
  if (!changed.every(([path, text]) => sameDirectives(before.get(path) ?? "", text, names))) return undefined;
  const silenced = new Map(after);
  for (const [path, text] of changed) silenced.set(path, withoutDefines(text, names));
  const heard = [
    ...[...silenced].flatMap(([path, text]) => (isRead(path, after, texts) ? [text] : [])),
    ...texts,
  ];
  const isNamed = heard.map(joined).some((text) => [...names].some((name) => canName(text, name)));
  return isNamed || namedOutside([...names]) ? undefined : silenced;
}

/** Whether two versions of a tree include the same: all directives of their headers agree. */
export function sameHeaderDirectives(before: FileTree, after: FileTree): boolean {
  const none = new Set<string>();
  return [...new Set([...before.keys(), ...after.keys()])].every(
    (path) => isUnit(path) || sameDirectives(before.get(path) ?? "", after.get(path) ?? "", none),
  );
}

function newNames(before: Bytes, after: Bytes): string[] {
  const had = new Set(directivesIn(before));
  return directivesIn(after).flatMap((line) => (had.has(line) ? [] : (plainDefine.exec(line)?.[1] ?? [])));
}

function sameDirectives(before: Bytes, after: Bytes, names: ReadonlySet<string>): boolean {
  if (before === after) return true;
  // What looks like a directive may be part of a comment or of a text.
  if (spansLines.test(before) || spansLines.test(after)) return false;
  const rest = (text: Bytes) => directivesIn(text).filter((line) => !defines(line, names));
  return rest(before).join("\n") === rest(after).join("\n");
}

function directivesIn(text: Bytes): string[] {
  return (text.match(directive) ?? []).map((line) => line.trim());
}

function defines(line: string, names: ReadonlySet<string>): boolean {
  const name = plainDefine.exec(line.trim())?.[1];
  return name !== undefined && names.has(name);
}

function withoutDefines(text: Bytes, names: ReadonlySet<string>): Bytes {
  return text.replace(directive, (line) => (defines(line, names) ? "" : line));
}

/** A unit is read where something names its file. */
function isRead(path: string, files: FileTree, texts: readonly Bytes[]): boolean {
  const name = path.split("/").at(-1) ?? path;
  return !isUnit(path) || [...files.values(), ...texts].some((text) => text.includes(name));
}

function canName(text: Bytes, name: string): boolean {
  return text.includes(name) || (makesNames.test(text) && canBePasted(name, new Set(text.match(/\w+/g))));
}

/** Whether a name can be put together from words of a text and from numbers, such as those of lines. */
function canBePasted(name: string, words: ReadonlySet<string>): boolean {
  const reached = [true];
  for (let end = 1; end <= name.length; end++)
    reached[end] = reached.some((is, start) => {
      const piece = name.slice(start, end);
      return is && (words.has(piece) || /^\d+$/.test(piece));
    });
  return reached[name.length] === true;
}

/** A line that goes on in the next may cut a name in two. */
function joined(text: Bytes): Bytes {
  return text.includes("\\") ? text.replace(/\\[ \t]*\r?\n/g, "") : text;
}
