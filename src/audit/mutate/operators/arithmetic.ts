/** AOR, AOD and ASR: another arithmetic operator, one operand alone, another compound assignment. */
import { change, type Mutator, operand, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { isNumeric, type Type } from "../types.ts";
import { typeOf } from "../typing.ts";
import { withOperator } from "./with-operator.ts";

const operators = ["+", "-", "*", "/", "%"];
const assignments = ["+=", "-=", "*=", "="];
const binary = new Set(operators);
const compound = new Set(["+=", "-=", "*=", "/=", "%="]);

export const arithmetic: Mutator = {
  family: "field",
  *propose(node, world) {
    if (hasOperator(node, "binary_expression", binary)) yield* ofBinary(node, world);
    if (hasOperator(node, "assignment_expression", compound)) yield* ofAssignment(node, world);
  },
};

function sides(node: Syntax, world: World): readonly [Syntax, Type, Syntax, Type] | undefined {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (left === undefined || right === undefined) return undefined;
  return [left, typeOf(left, world.names), right, typeOf(right, world.names)];
}

/** Operators that compile between the two: all of them for numbers, plus and minus for a pointer and a number. */
function fitting(left: Type, right: Type): readonly string[] {
  if (left.kind === "integer" && right.kind === "integer") return operators;
  if (isNumeric(left) && isNumeric(right)) return operators.filter((each) => each !== "%");
  const steps = left.kind === "pointer" || left.kind === "unknown";
  return steps && right.kind === "integer" ? ["+", "-"] : [];
}

function* ofBinary(node: Syntax, world: World): Generator<Proposal> {
  const found = sides(node, world);
  const written = operatorOf(node)?.text ?? "";
  if (found === undefined) return;
  const [left, leftType, right, rightType] = found;
  const fits = fitting(leftType, rightType);
  if (!fits.includes(written)) return;
  for (const other of fits) {
    if (other === written || (["/", "%"].includes(other) && right.text === "0")) continue;
    yield change(
      "AOR",
      `${quote(node)} may be computed with \`${other}\` and no check notices`,
      ...withOperator(node, other),
    );
  }
  const kept = isNumeric(leftType) ? [left, right] : [left];
  for (const side of kept)
    yield change(
      "AOD",
      `${quote(node)} may be ${quote(side)} alone and no check notices`,
      replace(node, operand(side)),
    );
}

function* ofAssignment(node: Syntax, world: World): Generator<Proposal> {
  const found = sides(node, world);
  const token = operatorOf(node);
  if (found === undefined || token === undefined) return;
  const [, left, , right] = found;
  const numbers = isNumeric(left) && isNumeric(right);
  const steps = left.kind === "pointer" && right.kind === "integer";
  for (const other of numbers ? assignments : steps ? ["+=", "-="] : [])
    if (other !== token.text)
      yield change("ASR", `${quote(node)} may be \`${other}\` and no check notices`, replace(token, other));
}
