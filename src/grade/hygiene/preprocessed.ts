/** Reads what `-E -dD` prints: which macros end up defined, by whom, and what the candidate's own text became. Pure. */
import { normalize } from "node:path/posix";

/** A macro that a file of the tree defined and that is still defined at the end. */
export interface OwnMacro {
  readonly name: string;
  /** Parameters and replacement, as printed. */
  readonly text: string;
  readonly file: string;
  readonly line: number;
  /** A system header or the compiler had defined it before. */
  readonly replacesSystem: boolean;
}

/** A macro of the system that a file of the tree undefined for good. */
export interface LostMacro {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface Preprocessed {
  readonly macros: readonly OwnMacro[];
  readonly lost: readonly LostMacro[];
  /** Text of each file of the tree after expansion, line by line in its place. */
  readonly own: ReadonlyMap<string, string>;
  /** Everything else: system headers and their macros. */
  readonly system: string;
  readonly size: TextSize;
}

/** How much there is to read. */
export interface TextSize {
  readonly bytes: number;
  /** What the tree's own files came to, and about how many tokens that is. */
  readonly ownBytes: number;
  readonly ownTokens: number;
}

/** Several times what the largest honest headers come to: more only serves to exhaust the reader. */
export const mostText: TextSize = {
  bytes: 16 * 1024 * 1024,
  ownBytes: 4 * 1024 * 1024,
  ownTokens: 1_500_000,
};

/** What is read of a patched tree: a baseline that is large itself may grow by a quarter. */
export function mostAfter(baseline: TextSize): TextSize {
  return {
    bytes: Math.max(mostText.bytes, baseline.bytes * 1.25),
    ownBytes: Math.max(mostText.ownBytes, baseline.ownBytes * 1.25),
    ownTokens: Math.max(mostText.ownTokens, baseline.ownTokens * 1.25),
  };
}

type Origin = { readonly kind: "own"; readonly path: string } | { readonly kind: "system" | "test" };
interface Definition {
  readonly text: string;
  readonly origin: Origin;
  readonly line: number;
  readonly replacesSystem: boolean;
}

/** `#line` may claim any number; a file of the tree is never that long. */
const mostLines = 1_000_000;
const marker = /^# (\d+) "((?:[^"\\]|\\.)*)"/;
const define = /^#define (\w+)(.*)$/;
const undefine = /^#undef (\w+)/;

/**
 * @param isOwn Whether a path, relative to the tree, is a file of it.
 * @returns `"too-large"` where the text is larger than `most`; nothing is made of it then.
 */
export function readPreprocessed(output: string, isOwn: (path: string) => boolean): Preprocessed;
export function readPreprocessed(
  output: string,
  isOwn: (path: string) => boolean,
  most: TextSize | undefined,
): Preprocessed | "too-large";
export function readPreprocessed(
  output: string,
  isOwn: (path: string) => boolean,
  most?: TextSize,
): Preprocessed | "too-large" {
  if (most && output.length > most.bytes) return "too-large";
  let [ownBytes, ownTokens] = [0, 0];
  const table = new Map<string, Definition>();
  const lost = new Map<string, LostMacro>();
  const own = new Map<string, string[]>();
  const system: string[] = [];
  let origin: Origin = { kind: "system" };
  let line = 1;
  for (const text of output.split("\n")) {
    const mark = marker.exec(text);
    if (mark) {
      line = Number(mark[1]);
      origin = originOf(mark[2] ?? "", isOwn);
      continue;
    }
    const defined = define.exec(text);
    const undefined_ = undefine.exec(text);
    if (defined?.[1] !== undefined) {
      const before = table.get(defined[1])?.origin.kind === "system";
      table.set(defined[1], {
        text: defined[2] ?? "",
        origin,
        line,
        replacesSystem: before && origin.kind === "own",
      });
      lost.delete(defined[1]);
    } else if (undefined_?.[1] !== undefined) {
      const name = undefined_[1];
      if (origin.kind === "own" && table.get(name)?.origin.kind === "system")
        lost.set(name, { name, file: origin.path, line });
      table.delete(name);
    } else if (origin.kind === "own") {
      ownBytes += text.length;
      ownTokens += tokenCount(text);
      if (most && (ownBytes > most.ownBytes || ownTokens > most.ownTokens)) return "too-large";
      put(own, origin.path, line, text);
    }
    if (origin.kind === "system") system.push(text);
    line++;
  }
  return {
    macros: survivors(table),
    lost: [...lost.values()],
    own: joined(own),
    system: system.join("\n"),
    size: { bytes: output.length, ownBytes, ownTokens },
  };
}

/** Runs of letters and digits, and each other sign; what stands in literals counts as if it were code. */
function tokenCount(text: string): number {
  let count = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const isLetter =
      (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || c === 95 || c > 127;
    if (c > 32 && !(isLetter && inWord)) count++;
    inWord = isLetter;
  }
  return count;
}

function originOf(name: string, isOwn: (path: string) => boolean): Origin {
  const path = normalize(
    name
      .replace(/^\/w\//, "")
      .replaceAll("\\\\", "\\")
      .replaceAll('\\"', '"'),
  );
  if (isOwn(path)) return { kind: "own", path };
  return { kind: name.startsWith("=") || name === "<stdin>" ? "test" : "system" };
}

function put(own: Map<string, string[]>, path: string, line: number, text: string): void {
  if (line > mostLines) return;
  const lines = own.get(path) ?? [];
  own.set(path, lines);
  lines[line - 1] = `${lines[line - 1] ?? ""} ${text}`;
}

function joined(own: ReadonlyMap<string, string[]>): Map<string, string> {
  return new Map(
    [...own].map(([path, lines]) => [
      path,
      Array.from(lines, (l) => (l ?? "").replace(/^ (?=#)/, "")).join("\n"),
    ]),
  );
}

function survivors(table: ReadonlyMap<string, Definition>): OwnMacro[] {
  return [...table].flatMap(([name, { text, origin, line, replacesSystem }]) =>
    origin.kind === "own" ? [{ name, text, file: origin.path, line, replacesSystem }] : [],
  );
}
