/** Splits a C++ header into tokens and directives: enough to read a plain interface, no more. */

/** One token of code: a word, a number, a literal or a punctuation mark. */
export interface HeaderToken {
  readonly raw: string;
  readonly kind: "word" | "number" | "text" | "mark";
  /** Counts from 1. */
  readonly line: number;
  /** Where it stands in {@link HeaderText.code}. */
  readonly start: number;
}

/** One preprocessor line, without comments. */
export interface HeaderDirective {
  readonly text: string;
  readonly line: number;
}

/** A header, read. */
export interface HeaderText {
  /** The header without comments and directives. */
  readonly code: string;
  readonly tokens: readonly HeaderToken[];
  readonly directives: readonly HeaderDirective[];
}

const rawText = String.raw`(?:u8|[uUL])?R"([^()\\\s]{0,16})\([\s\S]*?\)\1"`;
const plainText = String.raw`(?:u8|[uUL])?"(?:\\[\s\S]|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\[\s\S]|[^'\\\n])+'`;
const comment = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;
const kinds = ["text", "word", "number", "mark"] as const;
const shapes = new RegExp(
  `(?<text>${rawText}|${plainText})|(?<word>[A-Za-z_]\\w*)|(?<number>\\.?\\d(?:[eEpP][+-]|'?[\\w.])*)|(?<mark>::|->|\\.\\.\\.|&&|\\S)`,
  "g",
);

/** Reads a header into tokens and directives, each in order. A spliced line counts as the lines it was. */
export function tokenizeHeader(header: string): HeaderText {
  // A splice becomes a mark that no byte is, so that line numbers stay true.
  const spliced = header.replaceAll("\r\n", "\n").replaceAll("\\\n", "␤");
  const directives: HeaderDirective[] = [];
  let line = 1;
  const lines = withoutComments(spliced).split("\n");
  const code = lines
    .map((text) => {
      const isDirective = /^[\s␤]*#/.test(text);
      if (isDirective) directives.push({ text: text.replaceAll("␤", "").trim(), line });
      line += 1 + splicesIn(text);
      return isDirective ? text.replace(/[^␤]/g, "") : text;
    })
    .join("\n");
  return { code, tokens: tokensOf(code), directives };
}

function tokensOf(code: string): HeaderToken[] {
  const tokens: HeaderToken[] = [];
  let [line, from] = [1, 0];
  for (const match of code.matchAll(shapes)) {
    if (match[0] === "␤") continue;
    line += code.slice(from, match.index).match(/[\n␤]/g)?.length ?? 0;
    from = match.index;
    const kind = kinds.find((name) => match.groups?.[name] !== undefined) ?? "mark";
    tokens.push({ raw: match[0], kind, line, start: match.index });
  }
  return tokens;
}

/** Comments become blanks; their line ends stay. Literals are stepped over. */
function withoutComments(text: string): string {
  return text.replace(new RegExp(`${rawText}|${plainText}|${comment}`, "g"), (piece) =>
    piece.startsWith("/") ? ` ${piece.replace(/[^\n␤]/g, "")}` : piece,
  );
}

function splicesIn(text: string): number {
  return text.split("␤").length - 1;
}
