/** Tells patched sources that differ in white space and comments only from those that differ in a token. */
import { createHash } from "node:crypto";

type Sources = ReadonlyMap<string, string>;

/**
 * One alternative a kind of token; what is between them are white space and comments. Raw strings come before strings,
 * and numbers before characters, because of `1'000`. What is never closed goes on to the end, so that no place is
 * looked at twice.
 */
const tokenPattern = new RegExp(
  [
    String.raw`(?<gap>[ \t\v\f\r]+|\\\r?\n|//[^\\\n]*(?:\\[^][^\\\n]*)*|/\*[^]*?(?:\*/|$))`,
    String.raw`(?<line>\n)`,
    String.raw`(?:u8|[uUL])?R"(?<mark>[^\s()\\"]{0,16})\([^]*?(?:\)\k<mark>"|$)`,
    String.raw`(?:u8|[uUL])?"[^"\\\n]*(?:\\[^][^"\\\n]*)*"?`,
    String.raw`\.?\d(?:[eEpP][+-]|'?[\w.])*`,
    String.raw`(?:u8|[uUL])?'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?`,
    String.raw`[A-Za-z_$\x80-\xff][\w$\x80-\xff]*`,
    String.raw`<=>|->\*|\.\.\.|<<=|>>=|::|\+\+|--|->|\.\*|<<|>>|[-+*/%^&|<>=!]=|&&|\|\||##`,
    "[^]",
  ].join("|"),
  "g",
);

/** Longer sources are compared byte for byte: no honest one is, and the time is bounded. */
const longest = 1024 * 1024;

/**
 * The tokens of a source, one a line. A directive ends with its line, and white space counts in it: `#define f (x)`
 * is not `#define f(x)`. Line numbers and the spaces of stringified arguments are taken for nothing.
 */
function tokensOf(text: string): string {
  const out: string[] = [];
  let isFirst = true;
  let isDirective = false;
  for (const { 0: token, groups } of text.matchAll(tokenPattern)) {
    if (groups?.line !== undefined) {
      if (isDirective) out.push("");
      [isFirst, isDirective] = [true, false];
    } else if (groups?.gap !== undefined) {
      if (isDirective && out.at(-1) !== " ") out.push(" ");
    } else {
      if (isFirst && token === "#") isDirective = true;
      isFirst = false;
      out.push(token);
    }
  }
  return out.join("\n");
}

/**
 * SHA-256 of all sources without white space and comments, in hexadecimal: the same for two patches that differ in
 * those only. `sources` are latin1 texts by path.
 */
export function normalisePatchedSources(sources: Sources): string {
  const hash = createHash("sha256");
  for (const [path, text] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const tokens = text.length > longest ? text : tokensOf(text);
    hash
      .update(`${JSON.stringify(path)} ${tokens.length}\n`)
      .update(tokens, "latin1")
      .update("\n");
  }
  return hash.digest("hex");
}
