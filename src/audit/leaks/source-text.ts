/** Comments and string literals of a C++ text. */

/** What is in it besides code. */
export interface SourceText {
  /** Blocks of comments; lines of `//` that follow each other are one. Notices of rights are left out. */
  readonly comments: readonly string[];
  /** What is between the quotes, as written. */
  readonly literals: readonly string[];
}

const parts =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^()\s\\]{0,16})\(([\s\S]*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|(?<![\w'])'(?:[^'\\\n]|\\.){1,4}'/g;

/** Reads a text. A quote that is never closed hides nothing but the rest of its line. */
export function sourceTextOf(text: string): SourceText {
  const [comments, literals]: [string[], string[]] = [[], []];
  let lastEnd = -1;
  for (const match of text.matchAll(parts)) {
    const [whole] = match;
    if (!whole.startsWith("/")) literals.push(match[2] ?? match[3] ?? "");
    else {
      const follows = lastEnd !== -1 && /^\s*$/.test(text.slice(lastEnd, match.index)) && comments.length > 0;
      if (follows) comments.push(`${comments.pop()}\n${whole}`);
      else comments.push(whole);
      lastEnd = match.index + whole.length;
    }
  }
  return {
    comments: comments.filter((comment) => !/copyright|licen[cs]e|spdx/i.test(comment)),
    literals: literals.filter((literal) => literal !== ""),
  };
}
