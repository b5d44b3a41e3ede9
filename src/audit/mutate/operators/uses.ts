/** Which uses of a name only read its value, so that another expression of its type may stand there. */
import { callableAround } from "../functions.ts";
import type { World } from "../mutator.ts";
import type { Variable } from "../names.ts";
import { constructs, operatorOf, part, type Syntax } from "../syntax.ts";
import { calledName, typeOf, variableOf } from "../typing.ts";

/** Library functions that take their arguments by a reference that is written to. */
const writers = new Set([
  "swap",
  "exchange",
  "forward",
  "tie",
  "ref",
  "getline",
  "from_chars",
  "iota",
  "move",
  "apply",
  "scoped_lock",
  "lock_guard",
  "unique_lock",
]);
/** Library functions whose arguments must have the same type. */
const alike = new Set(["min", "max", "clamp", "minmax"]);
const refused = new Set([
  "lambda_capture_specifier",
  "sizeof_expression",
  "template_argument_list",
  "decltype",
  "case_statement",
  "delete_expression",
  "for_range_loop",
  "noexcept",
  "lambda_capture_initializer",
  "using_declaration",
]);

/** The variable that a node reads, when it is a use that only reads. */
export function readAt(node: Syntax, world: World): Variable | undefined {
  if (node.type !== "identifier" && node.type !== "field_expression") return undefined;
  if (node.field === "function" || node.field === "name") return undefined;
  const variable = variableOf(node, world.names);
  return variable !== undefined && onlyReads(node, world) ? variable : undefined;
}

/** Whether what stands there is used by value. */
export function onlyReads(node: Syntax, world: World): boolean {
  const parent = node.parent;
  if (parent === null || refused.has(parent.type)) return false;
  switch (parent.type) {
    case "parenthesized_expression":
    case "conditional_expression":
    case "comma_expression":
      return onlyReads(parent, world);
    case "assignment_expression":
      return node.field !== "left";
    case "update_expression":
    case "field_expression":
      return false;
    case "subscript_expression":
      return node.field !== "argument";
    case "pointer_expression":
      return operatorOf(parent)?.text !== "&";
    case "return_statement":
      return !returnsReference(parent, world);
    case "init_declarator":
      return node.field === "value" && part(parent, "declarator")?.type !== "reference_declarator";
    case "binary_expression":
      return operatorOf(parent)?.text !== ">>" || node.field === "left" || isInteger(parent, world);
    case "argument_list":
      return takesValue(parent, node, world);
    default:
      return true;
  }
}

function isInteger(node: Syntax, world: World): boolean {
  return typeOf(node, world.names).kind === "integer";
}

function returnsReference(node: Syntax, world: World): boolean {
  const callable = callableAround(node);
  const routine = callable && world.names.definitions.get(callable);
  return routine?.returns.reference ?? false;
}

/** Whether a call's argument is taken by value, or by a reference to a constant. */
function takesValue(list: Syntax, argument: Syntax, world: World): boolean {
  const callee = list.parent && part(list.parent, "function");
  if (callee === undefined || callee === null) return true;
  const name = calledName(callee);
  const index = constructs(list).indexOf(argument);
  const own = world.names.routines.get(name) ?? [];
  if (own.length === 0) return !writers.has(name);
  return own.every((each) => {
    const type = each.parameters[index]?.type;
    return type === undefined || !type.reference || type.constant;
  });
}

/** Whether it is an argument of a library function that wants all of them of one type. */
export function mustMatch(node: Syntax): boolean {
  const list = node.parent;
  if (list?.type === "binary_expression" || list?.type === "parenthesized_expression") return mustMatch(list);
  const callee = list?.type === "argument_list" && list.parent ? part(list.parent, "function") : undefined;
  return callee !== undefined && alike.has(calledName(callee));
}

/** Whether it stands between braces, where no conversion may narrow. */
export function inBraces(node: Syntax): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === "initializer_list") return true;
    if (at.type === "argument_list" || at.type.endsWith("_statement") || at.type === "lambda_expression")
      return false;
  }
  return false;
}
