/**
 * Stage A of hygiene: what the text of the patched sources says that the baseline's doesn't, before anything is
 * built. Pure: texts in, hits out.
 */
import { type FileTree, isHeader, isUnit } from "../../model/task.ts";
import { lex } from "./lexer.ts";
import { declaredTypes, typesOfTrusted } from "./own-types.ts";
import { attributeRule, pragmaRule } from "./rules-attributes.ts";
import { hasIncludeRule, includeRule, lineRule, macroRule, resolveInclude } from "./rules-directives.ts";
import { operatorRule, stdRule } from "./rules-std.ts";
import { featureRule, imageRule, spellingRule, wordRule } from "./rules-words.ts";
import { type FileHit, newHits, type Rule, type SourceFile, sourceFile, type World } from "./source-rule.ts";

/** Every rule over text, in the order in which findings are listed. A new one is a function and a line here. */
const rules: readonly Rule[] = [
  spellingRule,
  wordRule,
  featureRule,
  imageRule,
  attributeRule,
  pragmaRule,
  includeRule,
  hasIncludeRule,
  lineRule,
  macroRule,
  stdRule,
  operatorRule,
];

/** The rules that still mean something once the compiler has replaced the macros. */
const expandedRules: readonly Rule[] = [
  wordRule,
  imageRule,
  attributeRule,
  pragmaRule,
  stdRule,
  operatorRule,
];

/** Everything around the files in question. */
export interface Surroundings {
  /** Files of the task that no patch changes. */
  readonly headers: FileTree;
  readonly includeDirs: readonly string[];
  readonly rawStrings: boolean;
}

/** What the rules find in `after` and don't find as often in `before`. Files that are the same are not read. */
export function newInSources(before: FileTree, after: FileTree, around: Surroundings): FileHit[] {
  const changed =
    (other: FileTree) =>
    ([path, text]: [string, string]) =>
      other.get(path) !== text;
  const old = [...before]
    .filter(changed(after))
    .flatMap(([path, text]) => hitsIn(path, text, before, around));
  const now = [...after].filter(changed(before)).flatMap(([path, text]) => hitsIn(path, text, after, around));
  return newHits(old, now);
}

/** Whether something that a test's compile can reach differs. */
export function headersDiffer(before: FileTree, after: FileTree, around: Surroundings): boolean {
  const differs = (one: FileTree, other: FileTree) =>
    [...one].some(([path, text]) => other.get(path) !== text && reachesTests(path, one, around));
  return differs(before, after) || differs(after, before);
}

/** Whether the text alone doesn't tell what the compiler will read: new macros that make code, new `_Pragma`. */
export function makesCodeByMacro(before: FileTree, after: FileTree, around: Surroundings): boolean {
  const makers = (tree: FileTree, other: FileTree) =>
    [...tree].flatMap(([path, text]) => (other.get(path) === text ? [] : codeMakers(text, around)));
  const known = new Set(makers(before, after));
  return makers(after, before).some((text) => !known.has(text));
}

function codeMakers(text: string, around: Surroundings): string[] {
  return lex(text, around).directives.flatMap((d) => {
    const body = d.tokens.slice(1);
    const makes = d.name === "define" && body.some((t) => t.kind === "word" || t.text === "##");
    return makes ? [body.map((t) => t.text).join(" ")] : [];
  });
}

function hitsIn(path: string, text: string, tree: FileTree, around: Surroundings): FileHit[] {
  const reaches = reachesTests(path, tree, around);
  const file = sourceFile(path, text, reaches, around);
  const world = worldOf(tree, around, true);
  return rules.flatMap((rule) => rule(file, world).map((hit) => ({ ...hit, file: path })));
}

/** The same over text of one file after preprocessing. `line` is that of the text given. */
export function hitsInExpanded(path: string, text: string, tree: FileTree, around: Surroundings): FileHit[] {
  const file: SourceFile = { ...sourceFile(path, text, true, around), expanded: true };
  const world = worldOf(tree, around, false);
  return expandedRules.flatMap((rule) => rule(file, world).map((hit) => ({ ...hit, file: path })));
}

/** Whether a test's compile can read a file: headers, and units that some header includes. */
export function reachesTests(path: string, tree: FileTree, around: Surroundings): boolean {
  if (!isUnit(path)) return true;
  const name = path.split("/").at(-1) ?? path;
  const includes = (text: string) =>
    text.includes(name) && new RegExp(`#\\s*include[^\\n]*${escaped(name)}`).test(text);
  return [...tree, ...around.headers].some(
    ([other, text]) => other !== path && isHeader(other) && includes(text),
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function worldOf(tree: FileTree, around: Surroundings, withMacros: boolean): World {
  let own: ReadonlySet<string> | undefined;
  const exists = (path: string) => tree.has(path) || around.headers.has(path);
  return {
    resolves: (from, name) => resolveInclude(from, name, around.includeDirs, exists) !== undefined,
    isOwnType: (name) => {
      own ??= new Set([
        ...[...tree.values()].flatMap((text) => declaredTypes(text, around, withMacros)),
        ...[...around.headers.values()].flatMap(typesOfTrusted),
      ]);
      return own.has(name);
    },
  };
}
