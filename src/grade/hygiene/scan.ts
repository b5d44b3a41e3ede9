/** Finds closing brackets by looking, for lists from which tokens were left out. For texts of the task alone: slow on hostile ones. */
import type { Token } from "./lexer.ts";
import { isSign } from "./source-rule.ts";

/** Position after the closer of the bracket at `open`, found by looking: tokens may have been left out before. */
export function afterClosing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (isSign(tokens[i], "(", "[", "{")) depth++;
    else if (isSign(tokens[i], ")", "]", "}") && --depth <= 0) return i + 1;
  }
  return tokens.length;
}

export function afterAngle(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (isSign(tokens[i], "(", "[", "{")) i = afterClosing(tokens, i) - 1;
    else if (isSign(tokens[i], "<")) depth++;
    else if (isSign(tokens[i], ">") && --depth === 0) return i + 1;
    else if (isSign(tokens[i], ";", "}", ")")) return undefined;
  }
  return undefined;
}
