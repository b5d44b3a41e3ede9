/** UOI, UOD and steps: a value off by one or negated, an operator dropped, increment for decrement. */
import { change, type Mutator, operand, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { typeOf } from "../typing.ts";
import { inBraces, mustMatch, onlyReads, readAt } from "./uses.ts";

const droppable = new Set(["-", "!", "~", "not"]);
const steps = new Set(["++", "--"]);

export const unary: Mutator = {
  family: "field",
  *propose(node, world) {
    yield* ofValue(node, world);
    if (hasOperator(node, "unary_expression", droppable)) yield* ofOperator(node, world);
    if (hasOperator(node, "update_expression", steps)) yield* ofStep(node, world);
  },
};

function* ofValue(node: Syntax, world: World): Generator<Proposal> {
  const type = readAt(node, world)?.type;
  if (type?.kind !== "integer" || inBraces(node)) return;
  if (type.bits < 32 && mustMatch(node)) return;
  for (const other of [`(${node.text} + 1)`, `(${node.text} - 1)`])
    yield change("UOI", `${quote(node)} may be off by one here and no check notices`, replace(node, other));
  if (type.signed && type.bits >= 32)
    yield change(
      "UOI",
      `${quote(node)} may be negated here and no check notices`,
      replace(node, `(-${node.text})`),
    );
}

function* ofOperator(node: Syntax, world: World): Generator<Proposal> {
  const argument = part(node, "argument");
  if (argument === undefined) return;
  const kind = typeOf(argument, world.names).kind;
  const negation = operatorOf(node)?.text === "!" || operatorOf(node)?.text === "not";
  if (!negation && kind !== "integer" && kind !== "floating") return;
  const text = negation && kind !== "boolean" ? `static_cast<bool>(${argument.text})` : operand(argument);
  yield change("UOD", `${quote(node)} may lose its operator and no check notices`, replace(node, text));
}

function* ofStep(node: Syntax, world: World): Generator<Proposal> {
  const token = operatorOf(node);
  const argument = part(node, "argument");
  if (token === undefined || argument === undefined) return;
  const other = token.text === "++" ? "--" : "++";
  yield change(
    "increment",
    `${quote(node)} may go the other way and no check notices`,
    replace(token, other),
  );
  if (node.parent?.type === "expression_statement" || node.field === "update") return;
  if (!onlyReads(node, world)) return;
  const swapped =
    token.start < argument.start ? `${operand(argument)}${token.text}` : `${token.text}${operand(argument)}`;
  yield change(
    "increment",
    `${quote(node)} may give the value of before or after and no check notices`,
    replace(node, `(${swapped})`),
  );
  if (typeOf(argument, world.names).kind === "integer")
    yield change(
      "increment",
      `${quote(node)} may leave the value as it is and no check notices`,
      replace(node, operand(argument)),
    );
}
