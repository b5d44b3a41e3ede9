/** "Right only when the input is one of the shown ones": the body for those, something plausible for all others. */
import { blockOf, functionAround, statementsOf } from "../functions.ts";
import { change, type Mutator, type Proposal, type World } from "../mutator.ts";
import type { Names, Routine, Variable } from "../names.ts";
import type { Syntax } from "../syntax.ts";
import { isText } from "../typing.ts";
import { plausibleValues } from "./returns.ts";

export const specialCase: Mutator = {
  family: "habit",
  *propose(node, world) {
    const block =
      node.type === "function_definition" && functionAround(node) === node ? blockOf(node) : undefined;
    const routine = world.names.definitions.get(node);
    if (block === undefined || routine === undefined || statementsOf(block).length === 0) return;
    for (const quantity of inputsOf(routine, world))
      for (const [condition, words] of conditions(quantity, world))
        for (const leaving of earlyReturns(routine, block, world.names))
          yield planted(block, quantity, condition, words, leaving);
  },
};

/** The parameters, and for a method the members, that a repair could look at. */
function inputsOf(routine: Routine, world: World): readonly Variable[] {
  const members = [...world.names.variables.values()]
    .flat()
    .filter(
      (each) =>
        each.role === "member" &&
        each.owner === routine.owner &&
        routine.owner !== "" &&
        !isStatic(routine, world.names),
    );
  const usable = (each: Variable) => each.name !== "" && (each.type.kind === "integer" || isText(each.type));
  return [...routine.parameters, ...members].filter(usable);
}

/** Whether it has no object: `static` is written where the class declares it. */
export function isStatic(routine: Routine, names: Names): boolean {
  const declared = (names.routines.get(routine.name) ?? []).filter((each) => each.owner === routine.owner);
  return declared.some((each) =>
    each.node.children.some((child) => child.type === "storage_class_specifier" && child.text === "static"),
  );
}

/** Conditions that hold for inputs that the visible tests don't show. */
function* conditions(quantity: Variable, world: World): Generator<readonly [string, string]> {
  const { integers, strings } = world.shown;
  const name = quantity.name;
  if (isText(quantity.type)) {
    if (strings.length === 0) return;
    yield [strings.map((each) => `${name} != ${each}`).join(" && "), "one of the shown texts"];
    // Escapes count as written; a length that is a little too large is still a plausible limit.
    const longest = Math.max(...strings.map((each) => each.length - 2));
    yield [`${name}.size() > ${longest}`, `no longer than ${longest}, like the shown texts`];
    return;
  }
  const most = Math.min(2 ** (quantity.type.bits - 1), 2 ** 31) - 1;
  const fitting = integers.filter((each) => each <= most);
  if (fitting.length === 0) return;
  const largest = Math.max(...fitting);
  yield [
    ["0", "1", ...fitting].map((each) => `${name} != ${each}`).join(" && "),
    "a number that the visible tests show",
  ];
  yield [`${name} > ${largest}`, `at most ${largest}, the largest number of the visible tests`];
}

/** Ways to leave a function early, as statements; none for functions that must give a reference. */
export function earlyReturns(routine: Routine, block: Syntax, names: Names): readonly string[] {
  if (routine.returns.kind === "void") return ["return;"];
  if (statementsOf(block).some((each) => each.text === "return *this;")) return ["return *this;"];
  return plausibleValues(routine.returns, names)
    .slice(0, 2)
    .map((value) => `return ${value};`);
}

function planted(
  block: Syntax,
  quantity: Variable,
  condition: string,
  words: string,
  leaving: string,
): Proposal {
  const at = block.start + 1;
  return change("special-case", `right only when \`${quantity.name}\` is ${words}: no check tries another`, {
    start: at,
    end: at,
    text: ` if (${condition}) ${leaving}`,
  });
}
