/** A quantity replaced by, or held below, a value that the visible tests show. */
import { change, type Mutator, quote, replace, type World } from "../mutator.ts";
import { inBraces, mustMatch, readAt } from "./uses.ts";

/** Sites are many; the largest shown value, and the ones shown first, tell the most. */
const mostValues = 3;

export const shownValues: Mutator = {
  family: "habit",
  *propose(node, world) {
    const variable = readAt(node, world);
    if (variable?.type.kind !== "integer" || variable.role === "global") return;
    if (inBraces(node) || mustMatch(node)) return;
    const largest = Math.max(...world.shown.integers, 0);
    if (largest > 0) {
      const clamped = `(${node.text} < ${largest} ? ${node.text} : ${largest})`;
      yield change(
        "clamp-to-shown",
        `${quote(node)} may stop at ${largest}, the largest number of the visible tests: no check goes beyond`,
        replace(node, clamped),
      );
    }
    for (const value of telling(world))
      yield change(
        "shown-value",
        `${quote(node)} may be ${value}, a number of the visible tests, whatever it should be`,
        replace(node, `${value}`),
      );
  },
};

/** The values that stand for all others. */
function telling(world: World): number[] {
  const { integers } = world.shown;
  return [...new Set([...integers.slice(0, mostValues - 1), Math.max(...integers)])].filter(Number.isFinite);
}
