/** A header as far as an object can depend on it. Pure. */
import type { Bytes } from "../model/task.ts";

/** What could hold `//` that begins no comment, across lines. */
const spansLines = /R"|\/\*|\?\?\/|\\[ \t]*\r?\n/;
const endComment = /^(?!\s*#)([^"'\n]*?)\/\/[^\n]*$/gm;

/**
 * The text without comments at the ends of lines, everything else in its line and column: models like to explain a
 * header, and a test need not be compiled again for that. Where a comment might be none, the text is left as it is.
 */
export function compiledText(text: Bytes): Bytes {
  return spansLines.test(text) ? text : text.replace(endComment, "$1").replace(/[ \t\r]+$/gm, "");
}
