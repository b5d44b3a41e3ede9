/** A header as far as an object can depend on it. Pure. */
import type { Bytes } from "../model/task.ts";

/** What could hold `//` or `#` that begins no comment and no directive, across lines. */
export const spansLines = /R"|\/\*|\?\?\/|\\[ \t]*\r?\n/;
const endComment = /^(?!\s*#)([^"'\n]*?)\/\/[^\n]*$/gm;

/**
 * The text without comments at the ends of lines, everything else in its line and column: models like to explain a
 * header, and a test need not be compiled again for that. Where a comment might be none, the text is left as it is.
 */
export function compiledText(text: Bytes): Bytes {
  return spansLines.test(text) ? text : text.replace(endComment, "$1").replace(/[ \t\r]+$/gm, "");
}

/** Whether two headers say the same to who does not care in which line; comments count for nothing. */
export function saysTheSame(one: Bytes, other: Bytes): boolean {
  const read = (text: Bytes) => {
    const compiled = compiledText(text);
    return spansLines.test(text) ? compiled : compiled.replace(/\n+/g, "\n");
  };
  return one === other || read(one) === read(other);
}
