/** The texts of an oracle → its profile: everything distinctive, less whatever public text holds too. */
import { assertionsOf } from "./assertions.ts";
import { allRows, isTelling, isTellingList, lanesOf, windowsOf } from "./constants.ts";
import { domain, hashText, newSalt, type Salt, Starts } from "./hash.ts";
import { type Index, indexOf, matchCode, matchProse, operandsHash, placeHashes } from "./match.ts";
import { type Draft, emptyDraft, lengths, type Phrase, type Profile } from "./profile.ts";
import { type Rarity, rarityOf } from "./rarity.ts";
import { earlier, hasShape, renamedHash, sequenceHash } from "./sequences.ts";
import { sourceTextOf, withoutComments } from "./source-text.ts";
import { kinds, type Tokens, tokensOf } from "./tokens.ts";
import { nameParts, wordsOf } from "./words.ts";

/** What the oracle consists of. */
export interface OracleTexts {
  readonly task: string;
  /** C++ of tests and their helpers. */
  readonly code: readonly string[];
  /** Inputs and outputs. */
  readonly data: readonly string[];
  /** Files, relative to the task folder. */
  readonly paths: readonly string[];
}

/** What anybody may see: its texts and its files. */
export interface PublicTexts {
  readonly texts: readonly string[];
  readonly paths: readonly string[];
}

interface Building {
  readonly salt: Salt;
  readonly draft: Draft;
  readonly rarity: Rarity;
  readonly starts: Starts;
}

/** Builds a profile under a salt of its own. */
export function buildProfile(oracle: OracleTexts, shown: PublicTexts, salt: Salt = newSalt()): Profile {
  const draft = emptyDraft();
  const starts = new Starts();
  const building = { salt, draft, starts, rarity: rarityOf(oracle.code, shown.texts) };
  for (const text of oracle.code) addCode(building, text);
  for (const text of oracle.data) addData(building, text);
  addPlaces(building, oracle.paths, shown.paths);
  for (const text of [...oracle.code, ...oracle.data]) addCanaries(building, text);
  const profile = { salt, task: oracle.task, starts, ...draft };
  const index = indexOf(profile);
  for (const text of shown.texts) subtract(index, draft, text);
  return profile;
}

function subtract(index: Index, draft: Draft, text: string): void {
  const { profile } = index;
  const found: (() => void)[] = [];
  const keep = tokensOf(text, profile.salt, "keep");
  for (const tokens of [keep, tokensOf(text, profile.salt, "drop")])
    matchCode(tokens, index, ({ feature, hash }) => found.push(() => draft[feature].delete(hash)));
  matchProse(keep, index, ({ feature, hash }) => found.push(() => draft[feature].delete(hash)));
  for (const remove of found) remove();
}

function addCode(building: Building, text: string): void {
  const { salt, rarity } = building;
  const tokens = tokensOf(text, salt, "drop");
  const { comments, literals } = sourceTextOf(text);
  addSequences(building, tokens);
  addRenamed(building, tokens);
  addAssertions(building, tokens);
  addJudgements(building, text);
  addNumbers(building, tokens);
  addLists(building, text);
  for (const literal of literals) addLiteral(building, tokensOf(literal, salt, "keep"));
  for (const comment of comments) addWords(building, tokensOf(comment, salt, "keep"), () => true);
  for (const literal of literals) addWords(building, tokensOf(literal, salt, "keep"), () => true);
  addWords(building, tokens, (parts) => parts.filter((part) => rarity.isRarePart(part)).length >= 2);
  addNames(building, tokens);
}

/** Names of several parts, and types of the oracle's own where something of theirs is named. */
function addNames({ salt, draft, rarity }: Building, tokens: Tokens): void {
  for (let i = 0; i < tokens.count; i++) {
    const name = tokenText(tokens, i);
    if (i > 0 && /^(?:struct|class)$/.test(tokenText(tokens, i - 1)) && rarity.isOwn(name))
      draft.names.set(sequenceHash(tokensOf(`${name}::`, salt, "keep"), salt, 0, 2, domain.name), 1);
    const count = tokens.kind[i] === kinds.word ? nameParts(name).length : 0;
    if (count < 2 || name.length < 8 || !rarity.isRare(name)) continue;
    draft.names.set(sequenceHash(tokens, salt, i, i + 1, domain.name), count >= 4 ? 2 : 1);
  }
}

function addData(building: Building, text: string): void {
  const tokens = tokensOf(text, building.salt, "keep");
  addSequences(building, tokens);
  addNumbers(building, tokens);
}

function tokenText(tokens: Tokens, at: number): string {
  return tokens.text.slice(tokens.start[at], tokens.end[at]);
}

/** Runs, and grams with something rare in them, each under an arbitrary number for the rare thing. */
function addSequences({ salt, draft, rarity, starts }: Building, tokens: Tokens): void {
  const rare = Array.from({ length: tokens.count }, (_, i) =>
    tokens.kind[i] === kinds.word || tokens.kind[i] === kinds.number
      ? rarity.rareNumber(tokenText(tokens, i))
      : undefined,
  );
  for (let i = 0; i + lengths.gram <= tokens.count; i++) {
    const start = sequenceHash(tokens, salt, i, i + lengths.gram);
    starts.add(start);
    const isPlain = rare.slice(i, i + lengths.run).every((number) => number === undefined);
    const end = i + (isPlain ? lengths.plainRun : lengths.run);
    if (end <= tokens.count) draft.runs.add(sequenceHash(tokens, salt, i, end));
    const found = rare.slice(i, i + lengths.gram).find((number) => number !== undefined);
    if (found !== undefined) draft.grams.set(start, found);
  }
}

function addRenamed({ salt, draft }: Building, tokens: Tokens): void {
  const before = earlier(tokens);
  for (let i = 0; i + lengths.renamed <= tokens.count; i++)
    if (hasShape(tokens, i)) draft.renamed.add(renamedHash(tokens, before, salt, i));
}

function addAssertions(building: Building, tokens: Tokens): void {
  const { draft } = building;
  for (const { from, to, sides } of assertionsOf(tokens)) {
    const length = Math.min(to - from, lengths.longestPhrase);
    if (length < 3) continue;
    const shape = shapeOf(building, tokens, from, from + length);
    const weight =
      shape.rare && length >= 5 ? 2 : length >= 12 && shape.distinct >= 8 ? 2 : length >= 7 ? 1 : 0;
    addPhrase(building, tokens, { from, length, weight });
    if (sides === undefined || length < 6) continue;
    const strong = (shape.rare && length >= 8) || (length >= 12 && shape.distinct >= 8);
    draft.operands.set(operandsHash(tokens, building, sides), strong ? 2 : 1);
  }
}

function addPhrase(
  { salt, draft, starts }: Building,
  tokens: Tokens,
  { from, length, weight }: Phrase & { from: number },
): void {
  const hash = sequenceHash(tokens, salt, from, from + length);
  const known = draft.phrases.get(hash)?.weight ?? 0;
  draft.phrases.set(hash, { length, weight: weight > known ? weight : known });
  if (length >= lengths.gram) starts.add(sequenceHash(tokens, salt, from, from + lengths.gram));
}

/** Comparisons that a flag collects, as in `right = a == b && right`, long enough to tell. */
function addJudgements(building: Building, text: string): void {
  for (const statement of withoutComments(text).split(/[;{}]/)) {
    const [, right = ""] = /^\s*(?:[\w: ]+\s)?\w+\s*=(?!=)([\s\S]*[=!<>]=[\s\S]*)$/.exec(statement) ?? [];
    for (const part of right.split("&&")) {
      const tokens = tokensOf(part, building.salt, "keep");
      const length = Math.min(tokens.count, lengths.longestPhrase);
      if (length < 12 || shapeOf(building, tokens, 0, length).distinct < 8) continue;
      addPhrase(building, tokens, { from: 0, length, weight: 2 });
    }
  }
}

/** A literal that anybody might write, such as "a,b,c", tells nothing. */
function addLiteral(building: Building, tokens: Tokens): void {
  const length = Math.min(tokens.count, lengths.longestPhrase);
  if (length < 4) return;
  const { rare, distinct } = shapeOf(building, tokens, 0, length);
  const weight =
    (rare && distinct >= 4) || (length >= 8 && distinct >= 7) ? 2 : distinct >= 5 ? 1 : undefined;
  if (weight === undefined) return;
  addPhrase(building, tokens, { from: 0, length, weight });
}

function shapeOf({ rarity }: Building, tokens: Tokens, from: number, to: number) {
  const texts = Array.from({ length: to - from }, (_, i) => tokenText(tokens, from + i));
  const isNamed = (i: number) =>
    tokens.kind[from + i] === kinds.word || tokens.kind[from + i] === kinds.number;
  return { rare: texts.some((text, i) => isNamed(i) && rarity.isRare(text)), distinct: new Set(texts).size };
}

function addNumbers({ salt, draft }: Building, tokens: Tokens): void {
  for (const row of allRows(tokens))
    for (const window of windowsOf(row, salt)) if (isTelling(window, row)) draft.numbers.add(window.hash);
}

/** The constants of each statement, and of each pair of braces without statements in it. */
function addLists({ salt, draft }: Building, text: string): void {
  const code = withoutComments(text);
  for (const statement of [
    ...code.split(";"),
    ...[...code.matchAll(/\{([^{};]*)\}/g)].map(([, inner]) => inner ?? ""),
  ])
    for (const row of allRows(tokensOf(statement, salt, "keep"))) {
      if (!isTellingList(row)) continue;
      draft.lists.set(sequenceHash(lanesOf(row), salt, 0, row.length, domain.list), row.length);
    }
}

/** Six words in a row, at least three of which say something. */
function addWords(
  { salt, draft, rarity }: Building,
  tokens: Tokens,
  wants: (parts: string[]) => boolean,
): void {
  const words = wordsOf(tokens, salt);
  for (let i = 0; i + lengths.words <= words.count; i++) {
    const parts = Array.from({ length: lengths.words }, (_, j) =>
      tokens.text.slice(words.start[i + j], words.end[i + j]).toLowerCase(),
    );
    const telling = new Set(parts.filter((part) => part.length > 3 && !rarity.isFiller(part)));
    if (telling.size >= 3 && wants(parts))
      draft.words.add(sequenceHash(words, salt, i, i + lengths.words, domain.words));
  }
}

/** Names that files of any project have, and those that oracles have by custom. */
const anyones = /^(?:main|tests?|check|run|visible|spec|unit|suite|helpers?|utils?|common)\.\w+$/;
const customary = /^(?:hidden|oracle|reserve)\.\w+$/;

function addPlaces({ salt, draft }: Building, paths: readonly string[], shown: readonly string[]): void {
  for (const path of paths) {
    const base = path.split("/").at(-1) ?? "";
    const [alone, inFolder] = placeHashes({ salt }, path);
    const weight = anyones.test(base) || customary.test(base) ? 1 : 2;
    if (alone !== undefined && !anyones.test(base)) draft.places.set(alone, weight);
    if (inFolder !== undefined) draft.places.set(inFolder, weight);
  }
  for (const path of shown) for (const hash of placeHashes({ salt }, path)) draft.places.delete(hash);
}

const uuid = /\b[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}\b/g;

/** Random ids: every UUID, and what stands on a line that calls itself a canary. */
function addCanaries({ salt, draft }: Building, text: string): void {
  const ids = [...text.matchAll(uuid)].map(([id]) => id);
  for (const [line] of text.matchAll(/[^\n]*canary[^\n]*/gi))
    for (const [word] of line.matchAll(/[A-Za-z0-9][A-Za-z0-9_-]{7,}/g))
      if (/\d.*\d/.test(word)) ids.push(word);
  for (const id of ids) draft.canaries.add(hashText(salt, domain.canary, id.toLowerCase()));
}
