/** Things in the wrong order or in each other's place: statements, arguments, members, parameters. */
import { statementsOf } from "../functions.ts";
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import type { Variable } from "../names.ts";
import { constructs, part, type Syntax } from "../syntax.ts";
import { lastName, type Type } from "../types.ts";
import { typeOf, variableOf } from "../typing.ts";
import { onlyReads } from "./uses.ts";

/** Statements that declare nothing for the ones after them. */
const movable = new Set(
  "expression_statement if_statement for_statement for_range_loop while_statement do_statement".split(" "),
);

export const swaps: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type === "compound_statement") yield* ofStatements(node);
    if (node.type === "argument_list" && node.parent?.type === "call_expression")
      yield* ofArguments(node, world);
    if (node.type === "identifier" || node.type === "field_expression") yield* ofVariable(node, world);
  },
};

function exchange(operator: string, meaning: string, first: Syntax, second: Syntax): Proposal {
  return change(operator, meaning, replace(first, second.text), replace(second, first.text));
}

function* ofStatements(block: Syntax): Generator<Proposal> {
  const list = statementsOf(block);
  for (const [index, first] of list.entries()) {
    const second = list[index + 1];
    if (second === undefined || ![first, second].every((each) => movable.has(each.type))) continue;
    yield exchange(
      "swapped-statements",
      `${quote(second)} may come before ${quote(first)} and no check notices`,
      first,
      second,
    );
  }
}

function alike(one: Type, other: Type): boolean {
  return one.kind === "integer"
    ? other.kind === "integer"
    : one.kind !== "unknown" && one.text === other.text;
}

function* ofArguments(list: Syntax, world: World): Generator<Proposal> {
  const values = constructs(list);
  for (const [index, first] of values.entries()) {
    const second = values[index + 1];
    if (second === undefined || first.text === second.text) continue;
    if (!alike(typeOf(first, world.names), typeOf(second, world.names))) continue;
    if (![first, second].every((each) => onlyReads(each, world))) continue;
    yield exchange(
      "swapped-arguments",
      `${quote(first)} and ${quote(second)} may change places and no check notices`,
      first,
      second,
    );
  }
}

/** Others of the same owner, role and type. */
function peers(variable: Variable, world: World): Variable[] {
  const all = [...world.names.variables.values()].flat();
  return all.filter(
    (each) =>
      each.name !== variable.name &&
      each.role === variable.role &&
      each.type.text === variable.type.text &&
      each.type.constant === variable.type.constant &&
      each.type.reference === variable.type.reference &&
      (variable.role === "member" ? each.owner === variable.owner : each.scope === variable.scope),
  );
}

function* ofVariable(node: Syntax, world: World): Generator<Proposal> {
  if (node.field === "function" || node.field === "name" || node.parent?.type === "lambda_capture_specifier")
    return;
  const variable = variableOf(node, world.names);
  if (variable === undefined || (variable.role !== "member" && variable.role !== "parameter")) return;
  const name = node.type === "identifier" ? node : part(node, "field");
  if (name === undefined || name.text !== variable.name) return;
  if (node.type === "field_expression" && !isOwnerKnown(node, variable, world)) return;
  for (const other of peers(variable, world))
    yield change(
      `${variable.role}-for-${variable.role}`,
      `\`${other.name}\` may stand for ${quote(node)} here and no check notices`,
      replace(name, other.name),
    );
}

/** Whether `a.b` is surely of the class of that member: by the type of `a`, or because no other class has a `b`. */
function isOwnerKnown(node: Syntax, variable: Variable, world: World): boolean {
  const argument = part(node, "argument");
  if (argument === undefined || argument.type === "this") return true;
  const members = (world.names.variables.get(variable.name) ?? []).filter((each) => each.role === "member");
  return members.length === 1 || lastName(typeOf(argument, world.names).text) === variable.owner;
}
