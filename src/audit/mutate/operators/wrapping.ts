/** What is written in place of a remainder: a mask, a single subtraction, a lap too long or too short, nothing. */
import { change, type Mutator, operand, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, part, type Syntax } from "../syntax.ts";
import { typeOf } from "../typing.ts";

const remainder = new Set(["%"]);
const remainders = new Set(["%="]);

export const wrapping: Mutator = {
  family: "habit",
  *propose(node, world) {
    const assigned = hasOperator(node, "assignment_expression", remainders);
    if (!assigned && !hasOperator(node, "binary_expression", remainder)) return;
    const [left, right] = [part(node, "left"), part(node, "right")];
    if (left === undefined || right === undefined || !areIntegers([left, right], world)) return;
    for (const proposal of ofRemainder(node, operand(left), operand(right)))
      yield assigned ? asAssignment(proposal, left) : proposal;
  },
};

function areIntegers(sides: readonly Syntax[], world: World): boolean {
  return sides.every((side) => typeOf(side, world.names).kind === "integer");
}

function asAssignment(proposal: Proposal, left: Syntax): Proposal {
  return {
    ...proposal,
    edits: proposal.edits.map((edit) => ({ ...edit, text: `${left.text} = ${edit.text}` })),
  };
}

function* ofRemainder(node: Syntax, left: string, right: string): Generator<Proposal> {
  const said = quote(node);
  yield change(
    "mask-for-modulo",
    `${said} may be a mask, which is right for powers of two only: no check wraps at another size`,
    replace(node, `(${left} & (${right} - 1))`),
  );
  yield change(
    "wrap-once",
    `${said} may take away one lap only: no check goes round twice`,
    replace(node, `(${left} >= ${right} ? ${left} - ${right} : ${left})`),
  );
  yield change(
    "wrap-late",
    `${said} may wrap one step late and no check notices`,
    replace(node, `(${left} > ${right} ? ${left} - ${right} : ${left})`),
  );
  for (const sign of ["+", "-"])
    yield change(
      "wrap-off-by-one",
      `${said} may wrap one step ${sign === "+" ? "late" : "early"} and no check notices`,
      replace(node, `(${left} % (${right} ${sign} 1))`),
    );
}
