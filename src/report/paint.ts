/** Colours of what is printed to people. */
import picocolors from "picocolors";
import type { Token } from "../model/verdict.ts";

/** Functions that colour a text, or leave it as it is where colours are off. */
export type Paint = ReturnType<typeof picocolors.createColors>;

/** Colours on or off. */
export function paintWith(isOn: boolean): Paint {
  return picocolors.createColors(isOn);
}

/** A token in the colour of its kind; what was not graded has one too. */
export function paintToken(paint: Paint, token: Token | null): string {
  switch (token) {
    case null:
      return paint.magenta("not graded");
    case "PASS":
      return paint.green(token);
    case "OVERFIT":
      return paint.yellow(token);
    case "FAIL_VISIBLE":
      return paint.cyan(token);
    case "FAIL_BOTH":
    case "REJECTED":
      return paint.red(token);
  }
}
