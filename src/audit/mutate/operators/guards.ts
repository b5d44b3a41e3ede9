/** Guards: an `if` that only leaves, left out; a `throw` left out; an `else` dropped. */
import { endsFunction, statementsOf } from "../functions.ts";
import { change, type Mutator, quote, replace } from "../mutator.ts";
import { part, type Syntax } from "../syntax.ts";

const leaving = new Set(["return_statement", "throw_statement", "break_statement", "continue_statement"]);

export const guards: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type === "if_statement") {
      const condition = part(node, "condition");
      const otherwise = part(node, "alternative");
      if (condition !== undefined && otherwise === undefined && onlyLeaves(part(node, "consequence")))
        yield change(
          "guard-removal",
          `the guard ${quote(condition)} may be missing and no check notices`,
          replace(node, "{}"),
        );
      if (otherwise !== undefined && !endsFunction(node, world.names))
        yield change(
          "else-deletion",
          `the \`else\` of ${quote(condition ?? node)} may be missing and no check notices`,
          replace(otherwise, ""),
        );
    }
    if (node.type === "throw_statement" && !endsFunction(node, world.names))
      yield change(
        "guard-removal",
        `${quote(node)} may be missing and no check notices`,
        replace(node, "{}"),
      );
  },
};

function onlyLeaves(consequence: Syntax | undefined): boolean {
  if (consequence?.type !== "compound_statement") return leaving.has(consequence?.type ?? "");
  const inside = statementsOf(consequence);
  return inside.length === 1 && leaving.has(inside[0]?.type ?? "");
}
