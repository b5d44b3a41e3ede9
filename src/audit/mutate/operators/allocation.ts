/** Room for one more, one less, half as many, or for a fixed number. */
import { change, type Mutator, operand, type Proposal, quote, replace, type World } from "../mutator.ts";
import { constructs, part, type Syntax } from "../syntax.ts";
import { lastName } from "../types.ts";
import { calledName, typeOf, variableAt } from "../typing.ts";
import { inBraces } from "./uses.ts";

const sizing = new Set(["resize", "reserve", "malloc", "calloc", "make_unique", "make_shared"]);
const containers = new Set(["vector", "deque", "string", "basic_string", "unique_ptr", "valarray"]);

export const allocation: Mutator = {
  family: "field",
  *propose(node, world) {
    const size = sizeAt(node, world);
    if (size !== undefined && typeOf(size, world.names).kind === "integer") yield* ofSize(size);
  },
};

/** The expression that says how much room there is to be. */
function sizeAt(node: Syntax, world: World): Syntax | undefined {
  switch (node.type) {
    case "new_declarator":
      return part(node, "length");
    case "array_declarator":
      return part(node, "size");
    case "call_expression": {
      const callee = part(node, "function");
      return callee && sizing.has(calledName(callee)) ? firstArgument(node) : undefined;
    }
    case "field_initializer": {
      const name = node.children.find((each) => each.type === "field_identifier");
      const member = name && variableAt(name.text, name, world.names);
      return member && containers.has(lastName(member.type.text)) ? firstArgument(node) : undefined;
    }
    default:
      return undefined;
  }
}

function firstArgument(node: Syntax): Syntax | undefined {
  const list = node.children.find((each) => each.type === "argument_list");
  return list && constructs(list)[0];
}

/** A fixed number that is larger than what most tests ask for. */
const fixedRoom = "1024";

function* ofSize(size: Syntax): Generator<Proposal> {
  const literal = size.type === "number_literal";
  const number = literal ? Number(size.text) : 0;
  if (inBraces(size) || (literal && !(number > 1))) return;
  for (const [text, words] of [
    [`${operand(size)} + 1`, "one more than"],
    [`${operand(size)} - 1`, "one less than"],
    [`${operand(size)} / 2`, "half of"],
  ] as const)
    yield change(
      "allocation",
      `there may be room for ${words} ${quote(size)} and no check notices`,
      replace(size, text),
    );
  if (!literal)
    yield change(
      "fixed-room",
      `there may be room for ${fixedRoom}, whatever ${quote(size)} is: no check needs more`,
      replace(size, fixedRoom),
    );
}
