/** The type of an expression, where that is plain from the sources. */
import { routineAround } from "./functions.ts";
import type { Names, Variable } from "./names.ts";
import { bare, constructs, operatorOf, part, type Syntax } from "./syntax.ts";
import { lastName, namedType, readType, type Type, unknownType } from "./types.ts";

const truth = namedType("bool");
const size = namedType("std::size_t");
const comparisons = new Set(["==", "!=", "<", "<=", ">", ">=", "&&", "||", "and", "or"]);
const sizes = new Set(["size", "length", "find", "rfind", "count", "capacity", "max_size", "distance"]);
const tests = new Set(["empty", "has_value", "contains", "is_open", "good", "eof"]);
const items = new Set(["front", "back", "at", "value", "top"]);

/** Whether a node is at or below another. */
function contains(outer: Syntax, inner: Syntax): boolean {
  for (let at: Syntax | null = inner; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}

/** The variable that a name means at a place: the innermost in scope, a member of the function's class, a global. */
export function variableAt(name: string, at: Syntax, names: Names): Variable | undefined {
  const candidates = names.variables.get(name) ?? [];
  const visible = candidates.filter(
    (each) => each.from <= at.start && contains(each.scope, at) && each.role !== "member",
  );
  const near = visible.filter((each) => each.role !== "global").at(-1);
  if (near !== undefined) return near;
  const members = candidates.filter((each) => each.role === "member");
  const owner = routineAround(at, names)?.owner;
  return (
    members.find((each) => each.owner === owner && owner !== "") ??
    visible.at(-1) ??
    candidates.find((each) => each.role === "global")
  );
}

/** The member that `a.b` or `a->b` names, when all classes with such a member agree on its type. */
function memberOf(node: Syntax, names: Names): Variable | undefined {
  const field = part(node, "field")?.text ?? "";
  const members = (names.variables.get(field) ?? []).filter((each) => each.role === "member");
  const argument = part(node, "argument");
  const owner = argument?.type === "this" ? routineAround(node, names)?.owner : undefined;
  const own = members.find((each) => each.owner === owner);
  if (own !== undefined) return own;
  const known = argument === undefined ? unknownType : typeOf(argument, names);
  const named = members.find((each) => each.owner === lastName(known.text));
  // Of an iterator's pair, unless the sources say otherwise.
  if (named !== undefined || field === "first" || field === "second") return named;
  return members.every((each) => each.type.text === members[0]?.type.text) ? members[0] : undefined;
}

/** The variable that an expression is, looking through `this->` and parentheses. */
export function variableOf(node: Syntax, names: Names): Variable | undefined {
  const inner = bare(node);
  if (inner.type === "identifier") return variableAt(inner.text, inner, names);
  return inner.type === "field_expression" ? memberOf(inner, names) : undefined;
}

/** The type of an expression; of kind "unknown" when the sources don't tell plainly. */
export function typeOf(node: Syntax, names: Names): Type {
  switch (node.type) {
    case "parenthesized_expression":
    case "assignment_expression":
    case "update_expression":
      return inner(node, names);
    case "identifier":
    case "qualified_identifier":
      return variableOf(node, names)?.type ?? (node.text.endsWith("::npos") ? size : unknownType);
    case "field_expression":
      return variableOf(node, names)?.type ?? unknownType;
    case "number_literal":
      return literalType(node.text);
    case "char_literal":
      return namedType("char");
    case "true":
    case "false":
      return truth;
    case "null":
      return { ...unknownType, text: "nullptr", kind: "pointer" };
    case "sizeof_expression":
      return size;
    case "call_expression":
      return callType(node, names);
    case "cast_expression": {
      const type = part(node, "type");
      return type ? readType(type, names.aliases) : unknownType;
    }
    default:
      return composed(node, names);
  }
}

function inner(node: Syntax, names: Names): Type {
  const first = part(node, "left") ?? part(node, "argument") ?? constructs(node)[0];
  return first === undefined ? unknownType : typeOf(first, names);
}

function composed(node: Syntax, names: Names): Type {
  switch (node.type) {
    case "binary_expression":
      return binaryType(node, names);
    case "unary_expression":
      return operatorOf(node)?.text === "!" || operatorOf(node)?.text === "not" ? truth : inner(node, names);
    case "pointer_expression": {
      const type = inner(node, names);
      return operatorOf(node)?.text === "*"
        ? (type.element ?? unknownType)
        : { ...unknownType, kind: "pointer", element: type };
    }
    case "subscript_expression":
      return elementType(part(node, "argument"), names);
    case "conditional_expression": {
      const [yes, no] = [part(node, "consequence"), part(node, "alternative")];
      return yes && no ? common(typeOf(yes, names), typeOf(no, names)) : unknownType;
    }
    case "condition_clause": {
      const value = part(node, "value");
      return value ? typeOf(value, names) : unknownType;
    }
    default:
      return unknownType;
  }
}

function literalType(text: string): Type {
  const lower = text.toLowerCase();
  const hex = lower.startsWith("0x");
  if (!hex && (lower.includes(".") || lower.includes("e") || lower.endsWith("f"))) return namedType("double");
  const wide =
    lower.endsWith("l") || lower.endsWith("z") || Number.parseInt(lower, hex ? 16 : 10) > 0x7fffffff;
  const unsigned = lower.includes("u") || lower.endsWith("z");
  return namedType(wide ? (unsigned ? "std::size_t" : "long") : unsigned ? "unsigned" : "int");
}

/** What the arithmetic conversions give; strings swallow what is added to them. */
function common(left: Type, right: Type): Type {
  if (left.kind === "unknown" || right.kind === "unknown") return unknownType;
  if (left.kind !== "integer" || right.kind !== "integer") {
    if (left.kind === "floating" || right.kind === "class" || right.kind === "pointer")
      return left.kind === "pointer" || left.kind === "floating" ? left : right;
    return right.kind === "floating" ? right : left;
  }
  const [widest, other] = left.bits >= right.bits ? [left, right] : [right, left];
  const wide = widest.bits === other.bits && !other.signed ? other : widest;
  return wide.bits < 32 ? namedType("int") : { ...wide, constant: false, reference: false };
}

function binaryType(node: Syntax, names: Names): Type {
  const [left, right] = [part(node, "left"), part(node, "right")];
  const operator = operatorOf(node)?.text ?? "";
  if (left === undefined || right === undefined) return unknownType;
  if (comparisons.has(operator)) return truth;
  const type = typeOf(left, names);
  if (operator === "<<" || operator === ">>") return type.kind === "integer" ? type : unknownType;
  return common(type, typeOf(right, names));
}

function elementType(argument: Syntax | undefined, names: Names): Type {
  const type = argument === undefined ? unknownType : typeOf(argument, names);
  if (type.element !== null) return lastName(type.text).includes("map") ? unknownType : type.element;
  return isText(type) ? namedType("char") : unknownType;
}

/** Whether it is one of the standard string types. */
export function isText(type: Type): boolean {
  return ["string", "string_view", "basic_string"].includes(lastName(type.text));
}

function callType(node: Syntax, names: Names): Type {
  const callee = part(node, "function");
  const list = part(node, "arguments");
  if (callee === undefined || list === undefined) return unknownType;
  const cast = castTarget(callee);
  if (cast !== undefined) return readType(cast, names.aliases);
  if (callee.type === "primitive_type" || callee.type === "sized_type_specifier")
    return namedType(callee.text);
  const name = calledName(callee);
  const own = names.routines.get(name);
  if (own !== undefined)
    return own.every((each) => each.returns.text === own[0]?.returns.text)
      ? (own[0]?.returns ?? unknownType)
      : unknownType;
  return libraryType(name, callee, list, names);
}

function libraryType(name: string, callee: Syntax, list: Syntax, names: Names): Type {
  const object = callee.type === "field_expression" ? part(callee, "argument") : undefined;
  if (object !== undefined) {
    if (tests.has(name)) return truth;
    if (items.has(name)) return elementType(object, names);
    const finds = name.endsWith("find") || name === "count";
    return sizes.has(name) && (!finds || isText(typeOf(object, names))) ? size : unknownType;
  }
  const first = constructs(list)[0];
  const alike = ["min", "max", "abs", "clamp", "move", "exchange"].includes(name);
  if (alike && first !== undefined) return { ...typeOf(first, names), constant: false, reference: false };
  const type = namedType(callee.text);
  return type.kind === "class" ? unknownType : type;
}

/** The type between the angle brackets of `static_cast<T>` and its kin. */
function castTarget(callee: Syntax): Syntax | undefined {
  if (callee.type !== "template_function" || !(part(callee, "name")?.text ?? "").endsWith("_cast"))
    return undefined;
  const list = part(callee, "arguments");
  return list && constructs(list)[0];
}

/** The last name of what is called: `std::min<int>` is `min`, `a.size` is `size`. */
export function calledName(callee: Syntax): string {
  if (callee.type === "field_expression")
    return calledName(part(callee, "field") ?? callee.children[0] ?? callee);
  if (callee.type === "qualified_identifier" || callee.type.startsWith("template_")) {
    const name = part(callee, "name");
    return name ? calledName(name) : callee.text;
  }
  return callee.text;
}
