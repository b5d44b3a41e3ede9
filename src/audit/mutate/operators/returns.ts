/** What a function returns, by its type: nothing, zero, one, true, false, empty. */
import { callableAround } from "../functions.ts";
import { change, type Mutator, quote, replace, type World } from "../mutator.ts";
import type { Names, Routine } from "../names.ts";
import { constructs, type Syntax } from "../syntax.ts";
import { lastName, type Type } from "../types.ts";
import { isText } from "../typing.ts";

/** Library types that `{}` makes an empty one of. */
const emptied = new Set(
  "optional vector deque list map set unordered_map unordered_set multimap multiset array pair tuple unique_ptr shared_ptr function span".split(
    " ",
  ),
);

export const returns: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type !== "return_statement") return;
    const value = constructs(node)[0];
    const routine = routineOf(node, world);
    if (value === undefined || routine === undefined) return;
    for (const other of plausibleValues(routine.returns, world.names))
      if (other !== value.text)
        yield change(
          "return-value",
          `\`${routine.name}\` may give ${other} where it gives ${quote(value)} and no check notices`,
          replace(value, other),
        );
  },
};

/** The function whose value a return statement gives; lambdas mostly don't write their type. */
function routineOf(node: Syntax, world: World): Routine | undefined {
  const callable = callableAround(node);
  return callable && world.names.definitions.get(callable);
}

/** Values of a type that a function could wrongly return, as text; the most ordinary one first. */
export function plausibleValues(type: Type, names: Names): readonly string[] {
  if (type.reference) return [];
  switch (type.kind) {
    case "boolean":
      return ["false", "true"];
    case "integer":
      return type.signed && type.bits > 8 ? ["0", "1", "-1"] : ["0", "1"];
    case "floating":
      return ["0.0", "1.0"];
    case "pointer":
      return ["nullptr"];
    case "class":
      return ofClass(type, names);
    default:
      return [];
  }
}

function ofClass(type: Type, names: Names): readonly string[] {
  const name = lastName(type.text);
  if (isText(type)) return ["{}", '"A"'];
  if (name === "optional" && type.element !== null && ["integer", "floating"].includes(type.element.kind))
    return ["{}", `${type.element.text}(0)`, `${type.element.text}(1)`];
  if (emptied.has(name)) return ["{}"];
  return names.classes.has(name) && isDefaultConstructible(name, names) ? ["{}"] : [];
}

function isDefaultConstructible(name: string, names: Names): boolean {
  const constructors = (names.routines.get(name) ?? []).filter((each) => each.owner === name);
  return constructors.length === 0 || constructors.some((each) => each.parameters.length === 0);
}

/** Whether `{}` makes a value of the type for certain. */
export function hasDefault(type: Type, names: Names): boolean {
  return !type.reference && plausibleValues(type, names).length > 0;
}
