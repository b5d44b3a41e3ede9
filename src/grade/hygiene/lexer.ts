/** C++ text → tokens and directives, as the compiler's first phases see them: no splice, comment or literal misleads. */

import { type Spliced, splice } from "./splice.ts";

/** `<` and `>` are always single, so that angle brackets can be matched; digraphs read as what they stand for. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "char" | "header" | "punct";
  /** For strings: what is between the quotes, escapes as written. */
  readonly text: string;
  readonly line: number;
  /** Position in its run: the code of a file, or one directive. */
  readonly at: number;
  /** For an opening bracket the position of what closes it, or of the end. */
  readonly close: number;
  /** Position of the innermost bracket around it, or -1. */
  readonly parent: number;
}

/** A token before the brackets of its run are known. */
type Bare = Omit<Token, "at" | "close" | "parent">;

/** One preprocessing directive; `at` is how many tokens of plain code come before it. */
export interface Directive {
  readonly name: string;
  readonly tokens: readonly Token[];
  readonly line: number;
  readonly at: number;
}

export interface Lexed {
  /** Code without directives. Text under a literal `#if 0` is left out, as the compiler leaves it out. */
  readonly tokens: readonly Token[];
  readonly directives: readonly Directive[];
  /** Lines with trigraphs that would matter: outside of comments, or a splice. */
  readonly trigraphs: readonly number[];
  /** The first line with a carriage return that ends no line: compilers differ in what they make of it. */
  readonly loneReturn: number | undefined;
}

export interface LexOptions {
  /** False for C++98 and C++03, which have no raw strings. */
  readonly rawStrings: boolean;
}

const digraphs: Readonly<Record<string, string>> = {
  "%:%:": "##",
  "%:": "#",
  "<:": "[",
  ":>": "]",
  "<%": "{",
  "%>": "}",
};
const word =
  /(?:[A-Za-z_$\x80-\xff]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})(?:[\w$\x80-\xff]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*/y;
const number = /\.?\d(?:[eEpP][+-]|'[\w]|[\w.])*/y;
const rawStart = /(?:u8|[uUL])?R"([^()\\\s"]{0,16})\(/y;
const stringStart = /(?:u8|[uUL])?"/y;
const charStart = /(?:u8|[uUL])?'/y;
const punct = /%:%:|%:|<:(?!:[^:>])|:>|<%|%>|::|->|##|\.\.\.|[\s\S]/y;
const headerName = /<[^>\n]*>|"[^"\n]*"/y;
/** As for GCC; what else JavaScript takes for white space is not. */
const whiteSpace = new Set([" ", "\t", "\f", "\v", "\r", "\0"]);
const takesHeader = new Set(["include", "include_next", "import", "embed"]);
const proseDirectives = new Set(["error", "warning", "ident", "sccs"]);

/** Reads a text. Never throws: what no compiler would accept becomes tokens somehow. */
export function lex(original: string, options: LexOptions = { rawStrings: true }): Lexed {
  const reader = new Reader(original, options);
  reader.readAll();
  const { tokens, directives, trigraphs } = dropDead(reader);
  const { loneReturn } = reader;
  const matched = directives.map((d) => ({ ...d, tokens: withBrackets(d.tokens) }));
  return { tokens: withBrackets(tokens), directives: matched, trigraphs, loneReturn };
}

interface BareDirective extends Omit<Directive, "tokens"> {
  readonly tokens: readonly Bare[];
}

interface BareLexed {
  readonly tokens: readonly Bare[];
  readonly directives: readonly BareDirective[];
  readonly trigraphs: readonly number[];
}

/** Matches brackets once, so that no rule searches for the end of each of a million. Any closer closes the last opener. */
function withBrackets(tokens: readonly Bare[]): Token[] {
  const close = new Array<number>(tokens.length).fill(tokens.length);
  const open: number[] = [];
  const parents = tokens.map((token, at) => {
    const isSign = token.kind === "punct";
    if (isSign && ")]}".includes(token.text)) close[open.pop() ?? at] = at;
    const parent = open.at(-1) ?? -1;
    if (isSign && "([{".includes(token.text)) open.push(at);
    return parent;
  });
  // Field by field: a spread takes ten times as long.
  return tokens.map(({ kind, text, line }, at) => ({
    kind,
    text,
    line,
    at,
    close: close[at] ?? at,
    parent: parents[at] ?? -1,
  }));
}

class Reader {
  readonly tokens: Bare[] = [];
  readonly directives: BareDirective[] = [];
  readonly trigraphs: number[] = [];
  readonly loneReturn: number | undefined;
  readonly #original: string;
  readonly #source: Spliced;
  readonly #options: LexOptions;
  readonly #lineStarts: number[] = [0];
  #at = 0;
  /** Nothing but white space and comments since the line began. */
  #first = true;
  #directive: { tokens: Bare[]; line: number; at: number } | undefined;

  constructor(original: string, options: LexOptions) {
    this.#original = original;
    this.#source = splice(original);
    this.#options = options;
    for (let at = original.indexOf("\n"); at >= 0; at = original.indexOf("\n", at + 1))
      this.#lineStarts.push(at + 1);
    for (const match of original.matchAll(/\?\?\/[ \t]*\r?\n/g))
      this.trigraphs.push(this.#lineOf(match.index));
    const lone = original.search(/\r(?!\n)/);
    this.loneReturn = lone < 0 ? undefined : this.#lineOf(lone);
    // Compilers skip a byte order mark, so that a directive may follow it. The text is in Latin 1.
    if (original.startsWith("\xef\xbb\xbf")) this.#at = 3;
  }

  readAll(): void {
    while (this.#at < this.#source.text.length) this.#step();
    this.#endLine();
  }

  #lineOf(original: number): number {
    let [low, high] = [0, this.#lineStarts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= original) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source.text);
  }

  #step(): void {
    const { text } = this.#source;
    const c = text[this.#at] ?? "";
    if (c === "\n") {
      this.#at++;
      this.#endLine();
    } else if (whiteSpace.has(c)) this.#at++;
    else if (c === "/" && text[this.#at + 1] === "/") this.#at = endOr(text, text.indexOf("\n", this.#at));
    else if (c === "/" && text[this.#at + 1] === "*") {
      const end = text.indexOf("*/", this.#at + 2);
      this.#at = end < 0 ? text.length : end + 2;
    } else this.#token();
  }

  #token(): void {
    const raw = this.#options.rawStrings ? this.#match(rawStart) : null;
    const name = this.#match(word);
    const digits = this.#match(number);
    if (this.#headerToken()) return;
    if (raw) this.#rawString(raw);
    else if (this.#match(stringStart)) this.#quoted("string", '"');
    else if (this.#match(charStart)) this.#quoted("char", "'");
    else if (name) this.#push("word", decodeNames(name[0]), name[0].length);
    else if (digits) this.#push("number", digits[0], digits[0].length);
    else this.#sign();
  }

  #sign(): void {
    const sign = this.#match(punct)?.[0] ?? "?";
    if (sign === "?" && /^\?\?[=/'()!<>-]/.test(this.#source.text.slice(this.#at, this.#at + 3)))
      this.trigraphs.push(this.#lineOf(this.#source.origin(this.#at)));
    this.#push("punct", digraphs[sign] ?? sign, sign.length);
  }

  /** `<name>` where the grammar takes one: after `#include` and inside `__has_include(`. */
  #headerToken(): boolean {
    const before = this.#directive?.tokens;
    if (!before) return false;
    const [first] = before;
    const isInclude = before.length === 1 && first !== undefined && takesHeader.has(first.text);
    const asks =
      before.at(-1)?.text === "(" &&
      /^__has_(include|include_next|embed)(__)?$/.test(before.at(-2)?.text ?? "");
    const match = isInclude || asks ? this.#match(headerName) : null;
    if (!match) return false;
    this.#push("header", match[0], match[0].length);
    return true;
  }

  #rawString(start: RegExpExecArray): void {
    const body = this.#source.origin(this.#at + start[0].length - 1) + 1;
    const close = `)${start[1] ?? ""}"`;
    const end = this.#original.indexOf(close, body);
    const stop = end < 0 ? this.#original.length : end;
    const next = this.#source.after(stop + (end < 0 ? 0 : close.length));
    this.#push("string", this.#original.slice(body, stop), Math.max(1, next - this.#at));
  }

  #quoted(kind: "string" | "char", quote: string): void {
    const { text } = this.#source;
    const open = text.indexOf(quote, this.#at);
    let at = open + 1;
    while (at < text.length && text[at] !== quote && text[at] !== "\n")
      at += text[at] === "\\" && text[at + 1] !== "\n" ? 2 : 1;
    const body = text.slice(open + 1, at);
    if (body.includes("??/")) this.trigraphs.push(this.#lineOf(this.#source.origin(open)));
    this.#push(kind, body, at - this.#at + (text[at] === quote ? 1 : 0));
  }

  #push(kind: Token["kind"], text: string, length: number): void {
    const token: Bare = { kind, text, line: this.#lineOf(this.#source.origin(this.#at)) };
    this.#at += length;
    if (this.#first && kind === "punct" && text === "#") {
      this.#directive = { tokens: [], line: token.line, at: this.tokens.length };
    } else if (this.#directive) {
      this.#directive.tokens.push(token);
      if (this.#directive.tokens.length === 1 && proseDirectives.has(text))
        this.#at = endOr(this.#source.text, this.#source.text.indexOf("\n", this.#at));
    } else this.tokens.push(token);
    this.#first = false;
  }

  #endLine(): void {
    this.#first = true;
    const open = this.#directive;
    this.#directive = undefined;
    const [name, ...tokens] = open?.tokens ?? [];
    if (open && name) this.directives.push({ name: name.text, tokens, line: open.line, at: open.at });
  }
}

function endOr(text: string, at: number): number {
  return at < 0 ? text.length : at;
}

/** `\u0061` in a name is the letter that it stands for. */
function decodeNames(text: string): string {
  return text.replace(
    /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
    (_, four: string | undefined, eight: string | undefined) => {
      const code = Number.parseInt(four ?? eight ?? "", 16);
      return code < 0x11_0000 ? String.fromCodePoint(code) : "?";
    },
  );
}

/** Leaves out what stands under a literal `#if 0`, up to its `#else`, `#elif` or `#endif`. */
function dropDead(all: BareLexed): BareLexed {
  const directives: BareDirective[] = [];
  const cuts: { from: number; to: number }[] = [];
  let dead: { from: number; depth: number } | undefined;
  for (const directive of all.directives) {
    const { name, at } = directive;
    if (dead) {
      if (/^if/.test(name)) dead.depth++;
      else if (name === "endif" && dead.depth > 0) dead.depth--;
      else if (dead.depth === 0 && /^(el|endif)/.test(name)) {
        cuts.push({ from: dead.from, to: at });
        dead = undefined;
        directives.push(directive);
      }
      continue;
    }
    directives.push(directive);
    if (name === "if" && directive.tokens.length === 1 && /^(0|false)$/.test(directive.tokens[0]?.text ?? ""))
      dead = { from: at, depth: 0 };
  }
  if (dead) cuts.push({ from: dead.from, to: all.tokens.length });
  return cuts.length === 0 ? all : withoutCuts({ ...all, directives }, cuts);
}

/** `cuts` are in order and don't overlap. */
function withoutCuts(
  all: BareLexed,
  cuts: readonly { readonly from: number; readonly to: number }[],
): BareLexed {
  const tokens: Bare[] = [];
  const removed: { readonly at: number; readonly sum: number }[] = [];
  let at = 0;
  for (const { from, to } of cuts) {
    for (; at < from; at++) keep(tokens, all.tokens[at]);
    at = to;
    removed.push({ at: to, sum: to - tokens.length });
  }
  for (; at < all.tokens.length; at++) keep(tokens, all.tokens[at]);
  let next = 0;
  const directives = all.directives.map((directive) => {
    while ((removed[next]?.at ?? Number.POSITIVE_INFINITY) <= directive.at) next++;
    return { ...directive, at: directive.at - (removed[next - 1]?.sum ?? 0) };
  });
  return { tokens, directives, trigraphs: all.trigraphs };
}

function keep(tokens: Bare[], token: Bare | undefined): void {
  if (token !== undefined) tokens.push(token);
}
