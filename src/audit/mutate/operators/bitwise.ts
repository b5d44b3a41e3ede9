/** BOR: another bit operator or the other shift, one operand alone. */
import { change, type Mutator, operand, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { typeOf } from "../typing.ts";
import { withOperator } from "./with-operator.ts";

const others: Readonly<Record<string, readonly string[]>> = {
  "&": ["|", "^"],
  "|": ["&", "^"],
  "^": ["&", "|"],
  "<<": [">>"],
  ">>": ["<<"],
};
const binary = new Set(Object.keys(others));
const compound = new Set(Object.keys(others).map((each) => `${each}=`));

export const bitwise: Mutator = {
  family: "field",
  *propose(node, world) {
    const assigned = hasOperator(node, "assignment_expression", compound);
    if (!assigned && !hasOperator(node, "binary_expression", binary)) return;
    const [left, right] = [part(node, "left"), part(node, "right")];
    if (left === undefined || right === undefined || !areIntegers(left, right, world)) return;
    yield* assigned ? ofAssignment(node) : ofBinary(node, left, right);
  },
};

/** Streams use the same tokens, so both sides must be integers for certain. */
function areIntegers(left: Syntax, right: Syntax, world: World): boolean {
  return [left, right].every((side) => typeOf(side, world.names).kind === "integer");
}

function* ofBinary(node: Syntax, left: Syntax, right: Syntax): Generator<Proposal> {
  for (const other of others[operatorOf(node)?.text ?? ""] ?? [])
    yield change(
      "BOR",
      `${quote(node)} may be \`${other}\` and no check notices`,
      ...withOperator(node, other),
    );
  for (const side of [left, right])
    yield change(
      "BOR",
      `${quote(node)} may be ${quote(side)} alone and no check notices`,
      replace(node, operand(side)),
    );
}

function* ofAssignment(node: Syntax): Generator<Proposal> {
  const token = operatorOf(node);
  if (token === undefined) return;
  for (const other of others[token.text.slice(0, -1)] ?? [])
    yield change(
      "BOR",
      `${quote(node)} may be \`${other}=\` and no check notices`,
      replace(token, `${other}=`),
    );
}
