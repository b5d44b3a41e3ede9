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
  let [blockStart, lastEnd] = [0, -1];
  for (const match of text.matchAll(parts)) {
    const [whole] = match;
    if (!whole.startsWith("/")) literals.push(match[2] ?? match[3] ?? "");
    else {
      const follows = lastEnd !== -1 && /^\s*$/.test(text.slice(lastEnd, match.index)) && comments.length > 0;
      lastEnd = match.index + whole.length;
      if (follows) comments.pop();
      else blockStart = match.index;
      comments.push(text.slice(blockStart, lastEnd));
    }
  }
  return {
    comments: comments.filter((comment) => !/copyright|licen[cs]e|spdx/i.test(comment)),
    literals: literals.filter((literal) => literal !== ""),
  };
}

/** The text with each comment replaced by a blank. */
export function withoutComments(text: string): string {
  return text.replace(parts, (whole) => (/^\/[/*]/.test(whole) ? " " : whole));
}
