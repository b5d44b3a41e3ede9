/** Paths and globs of a manifest: which are allowed, what they match, and which files a manifest names. */
import type { JSONPath } from "jsonc-parser";
import picomatch from "picomatch";
import type { ManifestInput, TargetInput } from "./manifest-schema.ts";

/** Why a path may not stand in a manifest, or `undefined` if it may. */
export function pathFault(path: string): string | undefined {
  if (path === "") return "is empty";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return "holds a control character";
  if (path.includes("\\")) return "holds a backslash; folders are divided by /";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path))
    return "is absolute; paths are relative to the task folder";
  if (path.split("/").includes("..")) return "leads out of its folder with ..";
  return undefined;
}

/** `./a//b/` as `a/b`: one spelling for each path. The task folder itself is `.`. */
export function tidyPath(path: string): string {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return steps.length === 0 ? "." : steps.join("/");
}

/** Whether an entry of `sources` or `protect` is a pattern and not the name of one file. */
export function isGlob(entry: string): boolean {
  return picomatch.scan(entry).isGlob;
}

/** The folder below which everything lies that a glob can match. */
export function globFolder(glob: string): string {
  return tidyPath(picomatch.scan(glob).base);
}

/** A test for paths that any of the given names or globs match. Dot files match only where the glob says the dot. */
export function matcherOf(entries: readonly string[]): (path: string) => boolean {
  // Every entry also matches itself to the letter: `a(1).cpp` looks like a glob and may be a file. A leading `!`
  // would admit all but the named file: no negation.
  const literals = new Set(entries);
  const globs = entries.filter(isGlob).map((entry) => picomatch(entry, { dot: false, nonegate: true }));
  return (path) => literals.has(path) || globs.some((matches) => matches(path));
}

/** What a file that a manifest names is for. */
export type FileRole = "source" | "visible" | "hidden" | "reserve" | "prompt" | "patch" | "data";

/** A file that a manifest names, with the key that names it. */
export interface NamedFile {
  readonly at: JSONPath;
  /** True where the name is the key itself, as in `calibration`. */
  readonly isKey?: boolean;
  readonly path: string;
  readonly role: FileRole;
}

/** Every file that the manifest names one by one; globs and folders are not among them. */
export function namedFiles(input: ManifestInput): NamedFile[] {
  const one = (at: JSONPath, path: string | undefined, role: FileRole): NamedFile[] =>
    path === undefined ? [] : [{ at, path: pathFault(path) === undefined ? tidyPath(path) : path, role }];
  return [
    ...one(["prompt"], input.prompt, "prompt"),
    ...input.sources.flatMap((path, index) => (isGlob(path) ? [] : one(["sources", index], path, "source"))),
    ...filesOfLayer("visible", input.visible, one),
    ...filesOfLayer("hidden", input.hidden, one),
    ...filesOfLayer("reserve", input.reserve ?? [], one),
    ...one(["reference"], input.reference, "patch"),
    ...(input.alternatives ?? []).flatMap((path, index) => one(["alternatives", index], path, "patch")),
    ...Object.keys(input.calibration ?? {}).flatMap((path) =>
      one(["calibration", path], path, "patch").map((file) => ({ ...file, isKey: true })),
    ),
  ];
}

type Name = (at: JSONPath, path: string | undefined, role: FileRole) => NamedFile[];

function filesOfLayer(
  layer: "visible" | "hidden" | "reserve",
  value: ManifestInput["visible"],
  name: Name,
): NamedFile[] {
  if (typeof value === "string") return name([layer], value, layer);
  if (!Array.isArray(value)) return filesOfTarget([layer], value, layer, name);
  return value.flatMap((item, index) =>
    typeof item === "string"
      ? name([layer, index], item, layer)
      : filesOfTarget([layer, index], item, layer, name),
  );
}

function filesOfTarget(at: JSONPath, target: TargetInput, role: FileRole, name: Name): NamedFile[] {
  const content = (path: JSONPath, value: TargetInput["stdin"]) =>
    typeof value === "object" ? name([...path, "file"], value.file, "data") : [];
  const cases = typeof target.cases === "object" ? target.cases : [];
  return [
    ...name([...at, "source"], target.source, role),
    ...(target.sources ?? []).flatMap((path, index) => name([...at, "sources", index], path, role)),
    ...content([...at, "stdin"], target.stdin),
    ...cases.flatMap((item, index) => [
      ...content([...at, "cases", index, "stdin"], item.stdin),
      ...content([...at, "cases", index, "stdout"], item.stdout),
    ]),
  ];
}
