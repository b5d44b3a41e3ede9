/** Which paths a patch may change: judged over every path that any of its headers names, before anything is applied. */
import picomatch from "picomatch";
import { isGlob, matcherOf } from "./manifest-paths.ts";
import type { Finding } from "./outcome.ts";
import { type FileDiff, shown } from "./patch-diff.ts";
import { readings, withoutDot } from "./patch-name.ts";

/** What a task lets a patch touch. */
export interface PatchScope {
  /** The manifest's `sources`: literal paths or globs, posix, relative to the task folder. */
  readonly sources: readonly string[];
  /** Globs that a patch may never touch, in any case of letters. */
  readonly protect: readonly string[];
  /** What becomes of files that are merely not in `sources`: refuse the patch, or leave them out. */
  readonly mode: "reject" | "drop";
}

/** A file of the patch that was left out, and why. */
export interface DroppedFile {
  readonly file: string;
  readonly reason: string;
}

/** What the scope says of one file of a patch. */
export type Ruling =
  | { readonly status: "allowed"; readonly path: string; readonly creates: boolean }
  | { readonly status: "dropped"; readonly dropped: DroppedFile }
  | { readonly status: "refused"; readonly finding: Finding };

interface Matchers {
  /** A literal source or one that a glob admits. */
  readonly isSource: (path: string) => boolean;
  /** Whether a glob, not a literal, admits the path: only these may be created. */
  readonly mayCreate: (path: string) => boolean;
  readonly isProtected: (path: string) => boolean;
}

type Tree = ReadonlyMap<string, string>;

function matchersOf(scope: PatchScope): Matchers {
  const sources = scope.sources.map(withoutDot);
  const literals = new Set(sources);
  const admits = matcherOf(sources.filter(isGlob));
  const guards = scope.protect.map((glob) => picomatch(glob, { nonegate: true, nocase: true, dot: true }));
  const mayCreate = (path: string) => !literals.has(path) && admits(path);
  return {
    isSource: (path) => literals.has(path) || mayCreate(path),
    mayCreate,
    isProtected: (path) => guards.some((matches) => matches(path)),
  };
}

const oddCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u;

/** Why a path can't be trusted whatever it leads to, or `undefined`. */
export function pathEscape(path: string): string | undefined {
  if (path === "") return "an empty path";
  if (path.startsWith("/")) return "an absolute path";
  if (path.includes("\\")) return "a backslash in the path";
  if (path.length > 1024) return "a path longer than 1024 characters";
  if (oddCharacter.test(path)) return "control characters or broken UTF-8 in the path";
  const segments = path.split("/");
  if (segments.includes("..")) return "`..` in the path";
  if (segments.some((segment) => segment === "" || segment === "."))
    return "an empty or `.` segment in the path";
  // What Windows and macOS take for `.git` counts as well.
  if (segments.some((segment) => /^(?:\.git[ .]*|git~\d+)$/i.test(segment))) return "git's own folder";
  if (segments.some((segment) => /^[A-Za-z]:/.test(segment))) return "a drive letter in the path";
  return undefined;
}

/** Paths that all spellings can mean together; none where the headers name different files. */
function commonReadings(names: readonly string[]): readonly string[] {
  const [first = "", ...others] = [...new Set(names)];
  const sets = others.map((name) => new Set(readings(name)));
  return readings(first).filter((path) => sets.every((set) => set.has(path)));
}

/** The reading that is meant: one that exists, else one that may be created, else the one without a prefix. */
function chosenPath(paths: readonly string[], tree: Tree, matchers: Matchers): string | undefined {
  const shortest = [...paths].reverse();
  return (
    paths.find((path) => tree.has(path)) ?? shortest.find((path) => matchers.isSource(path)) ?? shortest[0]
  );
}

const addsOnly = ({ hunks }: FileDiff): boolean =>
  hunks.length > 0 && hunks.every(({ body }) => body.every(({ op }) => op === "+"));

function sameButForCase(path: string, tree: Tree): string | undefined {
  const folded = path.toLowerCase();
  for (const known of tree.keys()) if (known !== path && known.toLowerCase() === folded) return known;
  return undefined;
}

interface Objection {
  readonly kind: string;
  readonly why: string;
}

/** What speaks against a file whatever the mode: such a patch is never trimmed, only refused. */
function gravest(diff: FileDiff, paths: readonly string[], matchers: Matchers): Objection | undefined {
  if (diff.names.length === 0) return { kind: "path-escape", why: "no header names a file" };
  for (const name of diff.names) {
    const why = pathEscape(readings(name).at(-1) ?? "");
    if (why !== undefined) return { kind: "path-escape", why };
  }
  if (diff.mode === "symlink") return { kind: "symlink", why: "a patch may not make symbolic links" };
  if (diff.mode === "submodule") return { kind: "submodule", why: "a patch may not add submodules" };
  if (paths.some(matchers.isProtected)) return { kind: "protected", why: "the task protects this file" };
  return undefined;
}

/** What speaks against a file that is none of the sources, or against what is done to one that is. */
function objectionTo(
  diff: FileDiff,
  path: string | undefined,
  tree: Tree,
  matchers: Matchers,
): Objection | undefined {
  if (path === undefined || diff.moved)
    return { kind: "rename", why: "a patch may not rename or copy files" };
  if (!matchers.isSource(path))
    return { kind: "not-a-source", why: "not among the sources that a patch may change" };
  if (diff.deleted) return { kind: "deletion", why: "a patch may not delete a source" };
  if (diff.mode !== undefined) return { kind: diff.mode, why: "a patch may not change the mode of a file" };
  if (tree.has(path) || !(diff.created || addsOnly(diff))) return undefined;
  if (!matchers.mayCreate(path))
    return { kind: "new-file", why: "no glob in the sources admits this new file" };
  const twin = sameButForCase(path, tree);
  return twin === undefined
    ? undefined
    : { kind: "new-file", why: `differs from ${shown(twin)} in the case of letters only` };
}

function judge(diff: FileDiff, tree: Tree, mode: PatchScope["mode"], matchers: Matchers): Ruling {
  const path = chosenPath(commonReadings(diff.names), tree, matchers);
  const paths = path === undefined ? diff.names.flatMap(readings) : [path];
  const file = shown(path ?? paths.at(-1) ?? "");
  const refuse = ({ kind, why }: Objection): Ruling => {
    return { status: "refused", finding: { kind, file, message: `${why} (line ${diff.line} of the patch)` } };
  };
  const grave = gravest(diff, paths, matchers);
  if (grave !== undefined) return refuse(grave);
  const objection = objectionTo(diff, path, tree, matchers);
  if (objection !== undefined) {
    if (mode === "reject" || paths.some((p) => matchers.isSource(p))) return refuse(objection);
    return { status: "dropped", dropped: { file, reason: objection.why } };
  }
  return {
    status: "allowed",
    path: path ?? "",
    creates: diff.created || (!tree.has(path ?? "") && addsOnly(diff)),
  };
}

/** Rules on each file of a patch, in its order. */
export function ruleOn(diffs: readonly FileDiff[], tree: Tree, scope: PatchScope): readonly Ruling[] {
  const matchers = matchersOf(scope);
  return diffs.map((diff) => judge(diff, tree, scope.mode, matchers));
}
