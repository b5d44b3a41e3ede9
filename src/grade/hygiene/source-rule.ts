/** What a rule over source text is: a function from one lexed file to what it found there. */
import type { Finding } from "../../model/outcome.ts";
import { type Directive, type Lexed, type LexOptions, lex, type Token } from "./lexer.ts";

/** One thing that a rule saw. `kind` and `detail` are what a manifest's `allow` names. */
export interface Hit {
  readonly kind: string;
  readonly detail: string;
  readonly message: string;
  readonly line: number;
}

/** One file as rules see it. */
export interface SourceFile extends Lexed {
  readonly path: string;
  /** A test's compile can reach it: it is a header, or a header includes it. */
  readonly reachesTests: boolean;
  /** The compiler has already replaced all macros: words that stand for macros mean nothing here. */
  readonly expanded: boolean;
}

/** What rules may ask about the rest of the tree. */
export interface World {
  /** Whether a `"name"` or `<name>` written in a file leads to a file of the tree. */
  readonly resolves: (from: string, name: string) => boolean;
  /** Names of classes, enums and concepts that the tree declares; before expansion, of its macros as well. */
  readonly isOwnType: (name: string) => boolean;
  /** Whether the tree also makes the name one for another type, or takes it from a namespace. */
  readonly isAlias: (name: string) => boolean;
  /** Whether the tree makes a name one for a namespace of the library or of a test framework. */
  readonly isForeignAlias: (name: string) => boolean;
  /** Whether names of such a namespace are found in the namespace of this name, too. */
  readonly pullsForeign: (name: string) => boolean;
  /** Whether a test unit defines a function of this name at namespace scope. */
  readonly isTestFunction: (name: string) => boolean;
  /** Whether a test may find functions of a namespace of this name without naming it. */
  readonly isFoundByName: (space: string) => boolean;
}

export type Rule = (file: SourceFile, world: World) => Hit[];

export function sourceFile(
  path: string,
  text: string,
  reachesTests: boolean,
  options?: LexOptions,
): SourceFile {
  return { path, reachesTests, expanded: false, ...lex(text, options) };
}

/** Code and directives alike: a word counts wherever the compiler would read it. */
export function allTokens(file: Pick<SourceFile, "tokens" | "directives">): Token[] {
  return [...file.tokens, ...file.directives.flatMap(({ tokens }) => tokens)];
}

/** The runs of tokens in which a construct can stand: the code, and each directive for itself. */
export function tokenRuns(file: Pick<SourceFile, "tokens" | "directives">): (readonly Token[])[] {
  return [file.tokens, ...file.directives.map(({ tokens }) => tokens)];
}

/** Position after the bracket that closes the one at `open`, or the end. `tokens` is a run or a slice of one. */
export function afterClosing(tokens: readonly Token[], open: number): number {
  const bracket = tokens[open];
  if (bracket === undefined) return tokens.length;
  return Math.min(tokens.length, open + 1 + bracket.close - bracket.at);
}

/** Position after the `>` that closes the `<` at `open`, or `undefined` where it isn't one of a template. */
export function afterAngle(tokens: readonly Token[], open: number): number | undefined {
  const ends = angles.get(tokens) ?? angleEnds(tokens);
  angles.set(tokens, ends);
  return ends.get(open);
}

/** Matched once for each list of tokens: a hostile text opens a million of them. */
const angles = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

function angleEnds(tokens: readonly Token[]): Map<number, number> {
  const ends = new Map<number, number>();
  const outer: number[][] = [];
  let open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (isSign(tokens[i], "(", "[", "{")) {
      outer.push(open);
      open = [];
    } else if (isSign(tokens[i], ")", "]", "}")) open = outer.pop() ?? [];
    else if (isSign(tokens[i], ";")) open = [];
    else if (isSign(tokens[i], "<")) open.push(i);
    else if (isSign(tokens[i], ">")) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, i + 1);
    }
  }
  return ends;
}

export function isSign(token: Token | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === "punct" && signs.includes(token.text);
}

export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text);
}

/** The name that a `#define` or `#undef` is about. */
export function macroName(directive: Directive): string | undefined {
  if (directive.name !== "define" && directive.name !== "undef") return undefined;
  return directive.tokens[0]?.kind === "word" ? directive.tokens[0].text : undefined;
}

export interface FileHit extends Hit {
  readonly file: string;
}

/**
 * What is there more often than before, kind and detail taken together: code that only moves is no finding.
 * Of several occurrences the last are reported.
 */
export function newHits(before: readonly Hit[], after: readonly FileHit[]): FileHit[] {
  const budget = new Map<string, number>();
  for (const hit of before) budget.set(keyOf(hit), (budget.get(keyOf(hit)) ?? 0) + 1);
  return after.filter((hit) => {
    const left = budget.get(keyOf(hit)) ?? 0;
    budget.set(keyOf(hit), left - 1);
    return left <= 0;
  });
}

function keyOf(hit: Hit): string {
  return `${hit.kind}:${hit.detail}`;
}

/** Drops what the manifest's `allow` names, as `kind` or `kind:detail`. Spaces within types don't count. */
export function withoutAllowed<T extends Pick<Hit, "kind" | "detail">>(
  hits: readonly T[],
  allow: readonly string[],
): T[] {
  const known = new Set(allow.map(bare));
  return hits.filter(({ kind, detail }) => !known.has(bare(kind)) && !known.has(bare(`${kind}:${detail}`)));
}

function bare(entry: string): string {
  return entry.replace(/\s+/g, "");
}

export function findingOf(hit: Hit & { readonly file?: string }): Finding {
  const { kind, detail, message, file, line } = hit;
  const place = file === undefined || file === "" ? {} : line > 0 ? { file, line } : { file };
  return { kind, message: `${detail}: ${message}`, ...place };
}
