/** ROR: another comparison, or its result as a constant. */
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { isNumeric } from "../types.ts";
import { typeOf } from "../typing.ts";
import { withOperator } from "./with-operator.ts";

const equality = ["==", "!="];
const order = ["<", "<=", ">", ">="];
const comparisons = new Set([...equality, ...order]);

export const relational: Mutator = {
  family: "field",
  *propose(node, world) {
    if (!hasOperator(node, "binary_expression", comparisons)) return;
    const written = operatorOf(node)?.text ?? "";
    for (const other of fitting(node, written, world))
      if (other !== written)
        yield change(
          "ROR",
          `${quote(node)} may be \`${other}\` and no check notices`,
          ...withOperator(node, other),
        );
    yield* constants(node);
  },
};

/** Only numbers surely have all six. */
function fitting(node: Syntax, written: string, world: World): readonly string[] {
  const [left, right] = [part(node, "left"), part(node, "right")];
  const numbers =
    left && right && isNumeric(typeOf(left, world.names)) && isNumeric(typeOf(right, world.names));
  if (numbers) return [...equality, ...order];
  return equality.includes(written) ? equality : order;
}

function* constants(node: Syntax): Generator<Proposal> {
  for (const value of ["true", "false"])
    yield change("ROR", `${quote(node)} may always be ${value} and no check notices`, replace(node, value));
}
