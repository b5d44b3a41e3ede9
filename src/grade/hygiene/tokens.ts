/**
 * Stage A of hygiene: what the text of the patched sources says that the baseline's doesn't, before anything is
 * built. Pure: texts in, hits out.
 */

import { type FileTree, isHeader, isUnit } from "../../model/task.ts";
import { saysTheSame } from "../header-text.ts";
import { lex } from "./lexer.ts";
import { libraryNames } from "./names.ts";
import { type Declared, declaredIn, typesOfTrusted } from "./own-types.ts";
import { parameterHits } from "./parameters.ts";
import { attributeRule, pragmaRule } from "./rules-attributes.ts";
import { comparisonRule } from "./rules-comparisons.ts";
import { constRule } from "./rules-const.ts";
import { hasIncludeRule, includeRule, lineRule, macroRule, resolveInclude } from "./rules-directives.ts";
import { definedFunctions, openSpaces, overloadRule } from "./rules-overload.ts";
import { foreign, operatorRule, stdRule } from "./rules-std.ts";
import { castRule, featureRule, imageRule, spellingRule, wordRule } from "./rules-words.ts";
import { type FileHit, newHits, type Rule, type SourceFile, sourceFile, type World } from "./source-rule.ts";

/** Every rule over text, in the order in which findings are listed. A new one is a function and a line here. */
const rules: readonly Rule[] = [
  spellingRule,
  wordRule,
  featureRule,
  imageRule,
  castRule,
  constRule,
  attributeRule,
  pragmaRule,
  includeRule,
  hasIncludeRule,
  lineRule,
  macroRule,
  stdRule,
  operatorRule,
  comparisonRule,
  overloadRule,
];

/** The rules that still mean something once the compiler has replaced the macros. */
const expandedRules: readonly Rule[] = [
  wordRule,
  imageRule,
  castRule,
  constRule,
  attributeRule,
  pragmaRule,
  stdRule,
  operatorRule,
  comparisonRule,
  overloadRule,
];

/** Everything around the files in question. */
export interface Surroundings {
  /** Files of the task that no patch changes. */
  readonly headers: FileTree;
  readonly includeDirs: readonly string[];
  readonly rawStrings: boolean;
  /** Texts of the tests' units, for what they define themselves. */
  readonly testUnits?: readonly string[];
}

/** What the rules find in `after` and don't find as often in `before`. Files that are the same are not read. */
export function newInSources(before: FileTree, after: FileTree, around: Surroundings): FileHit[] {
  const changed =
    (other: FileTree) =>
    ([path, text]: [string, string]) =>
      other.get(path) !== text;
  const hits = (tree: FileTree, other: FileTree) => {
    const world = worldOf(tree, around, true);
    return [...tree]
      .filter(changed(other))
      .flatMap(([path, text]) => hitsIn(path, text, tree, around, world));
  };
  const read = (tree: FileTree, other: FileTree) =>
    [...tree]
      .filter(changed(other))
      .flatMap(([path, text]) =>
        reachesTests(path, tree, around) ? [sourceFile(path, text, true, around)] : [],
      );
  return [
    ...newHits(hits(before, after), hits(after, before)),
    ...parameterHits(read(before, after), read(after, before), () => wordsOf(around)),
  ];
}

/** Words of the test units; none where they aren't known. */
function wordsOf(around: Surroundings): ReadonlySet<string> | undefined {
  const words = (around.testUnits ?? []).flatMap((text) => lex(text, around).tokens.map((t) => t.text));
  return around.testUnits === undefined ? undefined : new Set(words);
}

/** Whether something that a test's compile can reach differs. */
export function headersDiffer(before: FileTree, after: FileTree, around: Surroundings): boolean {
  const isOther = (text: string, other: string | undefined) =>
    other === undefined || !saysTheSame(other, text);
  const differs = (one: FileTree, other: FileTree) =>
    [...one].some(([path, text]) => isOther(text, other.get(path)) && reachesTests(path, one, around));
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

function hitsIn(path: string, text: string, tree: FileTree, around: Surroundings, world: World): FileHit[] {
  const reaches = reachesTests(path, tree, around);
  const file = sourceFile(path, text, reaches, around);
  return rules.flatMap((rule) => rule(file, world).map((hit) => ({ ...hit, file: path })));
}

/** The same over text of one file after preprocessing. `line` is that of the text given. */
export function hitsInExpanded(path: string, text: string, tree: FileTree, around: Surroundings): FileHit[] {
  const file: SourceFile = {
    ...sourceFile(path, text, reachesTests(path, tree, around), around),
    expanded: true,
  };
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
  let known: Known | undefined;
  let tests: ReadonlySet<string> | undefined;
  let open: ReadonlySet<string> | undefined;
  const names = () => {
    known ??= knownIn(tree, around, withMacros);
    return known;
  };
  const exists = (path: string) => tree.has(path) || around.headers.has(path);
  return {
    resolves: (from, name) => resolveInclude(from, name, around.includeDirs, exists) !== undefined,
    isOwnType: (name) => names().types.has(name),
    isAlias: (name) => names().aliases.has(name),
    isForeignAlias: (name) => names().foreign.has(name),
    pullsForeign: (name) => names().pulling.has(name),
    isTestFunction: (name) => {
      tests ??= new Set(
        (around.testUnits ?? []).flatMap((text) => definedFunctions(lex(text, around).tokens)),
      );
      return tests.has(name);
    },
    isFoundByName: (space) => {
      open ??= spacesOf(tree, around);
      return open.has(space);
    },
  };
}

function spacesOf(tree: FileTree, around: Surroundings): ReadonlySet<string> {
  const names = (text: string, isTest: boolean) => openSpaces(lex(text, around), isTest);
  return new Set([
    ...[...tree.values(), ...around.headers.values()].flatMap((text) => names(text, false)),
    ...(around.testUnits ?? []).flatMap((text) => names(text, true)),
  ]);
}

interface Known {
  readonly types: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
  readonly foreign: ReadonlySet<string>;
  readonly pulling: ReadonlySet<string>;
}

function knownIn(tree: FileTree, around: Surroundings, withMacros: boolean): Known {
  const declared = [...tree.values()].map((text) => declaredIn(text, around, withMacros));
  const types = declared.flatMap((d) => d.types);
  const names = foreignNames(declared);
  // `using Base::Base` and `using Node = detail::Node` give no other name.
  const isOther = ([name, target]: Declared["aliases"][number]) =>
    target.at(-1) !== name ||
    target.some(
      (part) =>
        foreign.has(part) || names.foreign.has(part) || (names.pulling.has(part) && libraryNames.has(name)),
    );
  return {
    types: new Set([...types, ...[...around.headers.values()].flatMap(typesOfTrusted)]),
    aliases: new Set(declared.flatMap((d) => d.aliases.filter(isOther).map(([name]) => name))),
    ...names,
  };
}

/** Follows aliases of aliases, and namespaces that take over what others took over, until nothing is added. */
function foreignNames(declared: readonly Declared[]): Pick<Known, "foreign" | "pulling"> {
  const [aliases, pulling] = [new Set<string>(), new Set<string>()];
  const isForeign = (part: string) => foreign.has(part) || aliases.has(part);
  spread(
    declared.flatMap((d) => d.namespaces),
    isForeign,
    aliases,
  );
  spread(
    declared.flatMap((d) => d.pulls),
    (part) => isForeign(part) || pulling.has(part),
    pulling,
  );
  // `namespace b = a` of a namespace `a` that takes over.
  spread(
    declared.flatMap((d) => d.namespaces),
    (part) => pulling.has(part),
    pulling,
  );
  return { foreign: aliases, pulling };
}

/** Adds each name with a target that has a marked part; a name is looked at again only when one of its parts was added. */
function spread(
  edges: Declared["namespaces"],
  isMarked: (part: string) => boolean,
  marked: Set<string>,
): void {
  const users = new Map<string, string[]>();
  const todo: string[] = [];
  for (const [name, parts] of edges) {
    if (parts.some(isMarked)) todo.push(name);
    for (const part of parts) {
      const list = users.get(part);
      if (list) list.push(name);
      else users.set(part, [name]);
    }
  }
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (marked.has(name)) continue;
    marked.add(name);
    for (const user of users.get(name) ?? []) todo.push(user);
  }
}
