/** LCR and conditions: the other connective, one side alone, a condition negated or constant. */
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { typeOf } from "../typing.ts";
import { withOperator } from "./with-operator.ts";

const connectives = new Set(["&&", "||"]);
const conditional = new Set([
  "if_statement",
  "while_statement",
  "do_statement",
  "for_statement",
  "conditional_expression",
]);

export const logical: Mutator = {
  family: "field",
  *propose(node, world) {
    if (hasOperator(node, "binary_expression", connectives)) yield* ofConnective(node, world);
    const condition = conditional.has(node.type) ? part(node, "condition") : undefined;
    if (condition !== undefined) yield* ofCondition(condition);
  },
};

function* ofConnective(node: Syntax, world: World): Generator<Proposal> {
  const other = operatorOf(node)?.text === "&&" ? "||" : "&&";
  yield change(
    "LCR",
    `${quote(node)} may be \`${other}\` and no check notices`,
    ...withOperator(node, other),
  );
  for (const side of [part(node, "left"), part(node, "right")])
    if (side !== undefined)
      yield change(
        "LCR",
        `${quote(node)} may be ${quote(side)} alone and no check notices`,
        replace(node, asTruth(side, world)),
      );
}

/** An operand that may be a pointer or an optional does not convert by itself everywhere. */
function asTruth(side: Syntax, world: World): string {
  return typeOf(side, world.names).kind === "boolean" ? `(${side.text})` : `static_cast<bool>(${side.text})`;
}

/** Comparisons get their constants from ROR. */
function* ofCondition(condition: Syntax): Generator<Proposal> {
  const value = condition.type === "condition_clause" ? part(condition, "value") : condition;
  const parenthesized = condition.type === "parenthesized_expression";
  if (value === undefined || value.type === "declaration") return;
  const inside = (text: string) => replace(value, parenthesized ? `(${text})` : text);
  yield change(
    "negated-condition",
    `${quote(value)} may be negated and no check notices`,
    inside(`!(${value.text})`),
  );
  for (const constant of ["true", "false"])
    yield change(
      "constant-condition",
      `${quote(value)} may always be ${constant} and no check notices`,
      inside(constant),
    );
}
