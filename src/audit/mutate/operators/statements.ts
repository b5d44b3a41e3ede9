/** Statements, loops and initial values left out. */
import { endsFunction } from "../functions.ts";
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { part, type Syntax } from "../syntax.ts";
import { variableAt } from "../typing.ts";
import { hasDefault } from "./returns.ts";

const loops = new Set(["for_statement", "for_range_loop", "while_statement", "do_statement"]);
const jumps = new Set(["break_statement", "continue_statement"]);

export const statements: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type === "expression_statement" && node.text !== ";") yield leaveOut("statement-deletion", node);
    else if (jumps.has(node.type)) yield leaveOut("statement-deletion", node);
    else if (node.type === "return_statement" && node.text === "return;")
      yield leaveOut("statement-deletion", node);
    else if (node.type === "if_statement" && !endsFunction(node, world.names))
      yield leaveOut("statement-deletion", node);
    else if (loops.has(node.type) && !endsFunction(node, world.names)) yield* ofLoop(node);
    else yield* ofInitialValue(node, world);
  },
};

function leaveOut(operator: string, node: Syntax): Proposal {
  return change(operator, `${quote(node)} may be missing and no check notices`, replace(node, "{}"));
}

function* ofLoop(node: Syntax): Generator<Proposal> {
  yield leaveOut("loop-deletion", node);
  const body = part(node, "body");
  if (body?.type === "compound_statement")
    yield change("loop-once", `the loop of line ${node.line} may run once at most and no check notices`, {
      start: body.end - 1,
      end: body.end - 1,
      text: "break; ",
    });
}

function* ofInitialValue(node: Syntax, world: World): Generator<Proposal> {
  if (node.type === "init_declarator") yield* ofDeclarator(node, world);
  if (node.type === "field_initializer") yield* ofMemberInitializer(node, world);
  if (node.type === "field_declaration") yield* ofMember(node);
}

function* ofDeclarator(node: Syntax, world: World): Generator<Proposal> {
  const [declarator, value] = [part(node, "declarator"), part(node, "value")];
  if (declarator?.type !== "identifier" || value === undefined || ["{}", "()"].includes(value.text)) return;
  const variable = world.names.variables.get(declarator.text)?.find((each) => each.from === declarator.end);
  if (variable === undefined || variable.type.kind === "pointer" || !hasDefault(variable.type, world.names))
    return;
  const rest = { start: declarator.end, end: node.end, text: "{}" };
  yield change(
    "initialiser-deletion",
    `${quote(node)} may start from the default and no check notices`,
    rest,
  );
}

function* ofMemberInitializer(node: Syntax, world: World): Generator<Proposal> {
  const name = node.children.find((each) => each.type === "field_identifier");
  const list = node.children.find(
    (each) => each.type === "argument_list" || each.type === "initializer_list",
  );
  if (name === undefined || list === undefined || ["{}", "()"].includes(list.text)) return;
  const member = variableAt(name.text, name, world.names);
  if (member?.role !== "member" || !hasDefault(member.type, world.names)) return;
  yield change(
    "initialiser-deletion",
    `${quote(node)} may be left at its default and no check notices`,
    replace(list, "()"),
  );
}

/** A member without its initial value is not initialised at all. */
function* ofMember(node: Syntax): Generator<Proposal> {
  const declarator = part(node, "declarator");
  const value = part(node, "default_value");
  const fixed = node.children.some(
    (each) => ["storage_class_specifier", "type_qualifier"].includes(each.type) && each.text !== "mutable",
  );
  if (declarator?.type !== "field_identifier" || value === undefined || fixed) return;
  if (node.children.filter((each) => each.field === "declarator").length !== 1) return;
  const rest = { start: declarator.end, end: value.end, text: "" };
  yield change(
    "initialiser-deletion",
    `\`${declarator.text}\` may start from garbage and no check notices`,
    rest,
  );
}
