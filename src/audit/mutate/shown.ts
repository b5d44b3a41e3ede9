/** The literal values that the visible tests show to whoever repairs the code. */
import { parseCpp } from "./parser.ts";
import { within } from "./syntax.ts";

export interface Shown {
  /** Distinct integers from 2 to 2^31 - 1, in the order of their first appearance. */
  readonly integers: readonly number[];
  /** Distinct non-empty strings as written, quotes included. */
  readonly strings: readonly string[];
}

/** The most values of a kind that are kept: enough for a repair that lists what it was shown. */
const most = 24;

/** Parses the texts of the visible tests. */
export async function readShown(visible: readonly string[]): Promise<Shown> {
  const integers = new Set<number>();
  const strings = new Set<string>();
  for (const text of visible)
    for (const node of within(await parseCpp(text))) {
      const value = node.type === "number_literal" ? Number(node.text.split("'").join("")) : 0;
      if (Number.isInteger(value) && value >= 2 && value < 2 ** 31) integers.add(value);
      if (node.type === "string_literal" && isPlainText(node.text)) strings.add(node.text);
    }
  return { integers: [...integers].slice(0, most), strings: [...strings].slice(0, most) };
}

/** A string that is likely to be data: not empty, not a header's name. */
function isPlainText(text: string): boolean {
  return text.startsWith('"') && text.length > 2 && !text.endsWith('.hpp"') && !text.endsWith('.h"');
}
