/**
 * What took its arguments by value must not come to take them by a reference that it can write through: a test hands
 * over its own variables, and compares with them afterwards. Constructors have no type that a probe could ask for, so
 * this goes by the text of headers. Pure.
 */
import { type Callable, callablesIn } from "./callables.ts";
import { allTokens, type FileHit, isSign, isWord, macroName, type SourceFile } from "./source-rule.ts";

/** Compares the changed files of both trees that tests can reach. `words`: what tests mention, if that is known. */
export function parameterHits(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  words: () => ReadonlySet<string> | undefined,
): FileHit[] {
  const callables = (files: readonly SourceFile[]) => {
    const references = referencesIn(files);
    return files.flatMap((file) => callablesIn(file, references));
  };
  const [old, now] = [callables(before), callables(after)];
  const kept = new Set(now.map(keyOf));
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  const valued = new Set<string>();
  for (const one of old)
    for (const key of [keyOf(one), ...(kept.has(keyOf(one)) ? [] : [looseKeyOf(one)])])
      one.takes.forEach((taking, i) => {
        if (taking === "value") valued.add(`${key} ${i}`);
        else if (taking === "writable") for (const place of placesOf(one, i)) count(`${key} ${place}`, 1);
      });
  // Both keys are asked, whatever the first says: each answer takes from what the baseline had.
  const writing = now.filter(
    (one) => [keyOf(one), looseKeyOf(one)].filter((key) => writes(one, key, valued, counts)).length > 0,
  );
  const known = writing.length > 0 ? words() : undefined;
  return writing.filter((one) => isCalled(one, known)).map(hitOf);
}

function isCalled(one: Callable, words: ReadonlySet<string> | undefined): boolean {
  return isConstructor(one) || words === undefined || words.has(one.name) || one.name.startsWith("operator");
}

const message =
  "takes by a reference through which it can write what it took by value: it could change variables of the test";

function hitOf(one: Callable): FileHit {
  const detail = one.owner === undefined ? one.name : `${one.owner}::${one.name}`;
  return { kind: "signature", detail, message, file: one.file, line: one.line };
}

function isConstructor({ owner, name }: Callable): boolean {
  return owner === name;
}

function keyOf({ owner, name }: Callable): string {
  return `${owner ?? ""}::${name}`;
}

/** For what is declared nowhere any more: a base class or an alias may have taken its place. */
function looseKeyOf(one: Callable): string {
  return isConstructor(one) ? "constructor" : one.name;
}

/** Whether more parameters at a place that took a value can be written through than did. */
function writes(
  one: Callable,
  key: string,
  valued: ReadonlySet<string>,
  counts: Map<string, number>,
): boolean {
  let isNew = false;
  one.takes.forEach((taking, i) => {
    if (taking !== "writable") return;
    for (const place of placesOf(one, i)) {
      const left = counts.get(`${key} ${place}`) ?? 0;
      if (!valued.has(`${key} ${place}`)) continue;
      if (left > 0) counts.set(`${key} ${place}`, left - 1);
      else isNew = true;
    }
  });
  return isNew;
}

/** The places that a parameter stands for: a pack for all that follow. */
function placesOf({ takes, isPack }: Callable, i: number): number[] {
  const isLast = isPack && i === takes.length - 1;
  return isLast ? Array.from({ length: mostParameters }, (_, n) => i + n) : [i];
}

/** As far as a pack is followed. */
const mostParameters = 20;

/** No honest alias has more tokens. */
const longest = 60;

/** Names that aliases and macros make stand for a reference that can be written through. */
function referencesIn(files: readonly SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const directive of file.directives) {
      const name = macroName(directive);
      if (name !== undefined && directive.tokens.slice(1).some((t) => isSign(t, "&"))) names.add(name);
    }
    const tokens = allTokens(file);
    tokens.forEach((token, at) => {
      if (!isWord(token, "using", "typedef")) return;
      const end = tokens.slice(at, at + longest).findIndex((t) => isSign(t, ";", "{")) + at;
      const text = tokens.slice(at, Math.max(at, end));
      const reference = text.findIndex((t) => isSign(t, "&") || /^add_lvalue_reference/.test(t.text));
      if (reference < 0 || text.some((t) => isWord(t, "const") || isSign(t, "("))) return;
      const name = isWord(token, "using") ? text[1] : text.at(-1);
      if (name?.kind === "word" && !isWord(name, "namespace")) names.add(name.text);
    });
  }
  return names;
}
