/** Members, locals and parameters of a narrower type. */
import { blockOf, functionAround } from "../functions.ts";
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import type { Variable } from "../names.ts";
import { operatorOf, part, parts, type Syntax, within } from "../syntax.ts";
import { variableAt, variableOf } from "../typing.ts";
import { narrower, reach } from "./casts.ts";
import { inBraces, mustMatch, readAt } from "./uses.ts";

export const narrowing: Mutator = {
  family: "narrowing",
  *propose(node, world) {
    if (node.type === "field_declaration" || node.type === "declaration") yield* ofDeclaration(node, world);
    if (node.type === "parameter_declaration") yield* ofParameter(node, world);
  },
};

function declared(node: Syntax, world: World): Variable[] {
  return [...world.names.variables.values()].flat().filter((each) => each.declaration === node);
}

function* ofDeclaration(node: Syntax, world: World): Generator<Proposal> {
  const specifier = part(node, "type");
  const variables = declared(node, world);
  const first = variables[0];
  if (specifier === undefined || first === undefined || variables.length !== parts(node, "declarator").length)
    return;
  if (
    !variables.every(
      (each) => each.type.kind === "integer" && each.role !== "global" && mayNarrow(each, world),
    )
  )
    return;
  for (const [bits, signed] of narrower(first.type)) {
    const names = variables.map((each) => `\`${each.name}\``).join(", ");
    const meaning = `${names} of ${bits} bits${signed ? " with a sign" : ""} is never told from the right one: ${reach(bits, signed)}`;
    yield change(`narrow-${first.role}`, meaning, replace(specifier, world.integer(bits, signed)));
  }
}

/** A parameter keeps its type, which callers see; its value is cut before the body starts. */
function* ofParameter(node: Syntax, world: World): Generator<Proposal> {
  const [variable] = declared(node, world);
  const definition = functionAround(node);
  const block = definition && blockOf(definition);
  if (variable?.type.kind !== "integer" || block === undefined || variable.scope !== definition) return;
  if (variable.type.constant || variable.type.reference) return;
  for (const [bits, signed] of narrower(variable.type)) {
    const meaning = `the parameter ${quote(node)} cut to ${bits} bits${signed ? " with a sign" : ""} is never told from the right one: ${reach(bits, signed)}`;
    const text = ` ${variable.name} = static_cast<${world.integer(bits, signed)}>(${variable.name});`;
    yield change("narrow-parameter", meaning, { start: block.start + 1, end: block.start + 1, text });
  }
}

/** Whether another type would still compile: the name is bound to no reference, and not given between braces. */
function mayNarrow(variable: Variable, world: World): boolean {
  const fixed = variable.type.reference || variable.initial?.type === "initializer_list";
  const constexpr = variable.declaration.children.some(
    (each) => each.text === "constexpr" || each.text === "static",
  );
  if (fixed || constexpr) return false;
  for (const root of world.names.roots.values())
    for (const node of within(root)) if (binds(node, variable, world)) return false;
  return true;
}

function binds(node: Syntax, variable: Variable, world: World): boolean {
  if (node.type === "field_initializer") {
    const name = node.children.find((each) => each.type === "field_identifier");
    const braces = node.children.some((each) => each.type === "initializer_list" && each.text !== "{}");
    return braces && name?.text === variable.name && variableAt(name.text, name, world.names) === variable;
  }
  if (node.text !== variable.name && !node.text.endsWith(variable.name)) return false;
  if (node.type !== "identifier" && node.type !== "field_expression") return false;
  if (variableOf(node, world.names) !== variable) return false;
  return inBraces(node) || mustMatch(node) || !(isWritten(node) || readAt(node, world) !== undefined);
}

/** Assignments, steps and calls of the object's own functions don't care for the width. */
function isWritten(node: Syntax): boolean {
  const parent = node.parent;
  if (parent?.type === "assignment_expression") return node.field === "left";
  if (parent?.type === "update_expression") return operatorOf(parent) !== undefined;
  return parent?.type === "field_expression" || parent?.type === "lambda_capture_specifier";
}
