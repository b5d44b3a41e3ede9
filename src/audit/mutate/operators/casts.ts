/** A value cut to a narrower type where it is used. */
import { callableAround } from "../functions.ts";
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { constructs, type Syntax } from "../syntax.ts";
import type { Type } from "../types.ts";
import { typeOf } from "../typing.ts";
import { inBraces, mustMatch, onlyReads, readAt } from "./uses.ts";

export const casts: Mutator = {
  family: "narrowing",
  *propose(node, world) {
    const type = typeAt(node, world);
    if (type?.kind !== "integer" || inBraces(node) || mustMatch(node)) return;
    yield* ofValue(node, type, world);
  },
};

/** The type of a name that is read, of an index that is computed, or of what a function returns. */
function typeAt(node: Syntax, world: World): Type | undefined {
  const read = readAt(node, world);
  if (read !== undefined) return read.type;
  if (node.type === "identifier" || node.type === "number_literal") return undefined;
  if (node.parent?.type === "subscript_argument_list") return typeOf(node, world.names);
  if (node.parent?.type !== "return_statement" || constructs(node.parent)[0] !== node) return undefined;
  const callable = callableAround(node);
  const returns = callable && world.names.definitions.get(callable)?.returns;
  return returns?.kind === "integer" && onlyReads(node, world) ? returns : undefined;
}

/** Narrower types, and the one of the same width with the other sign. */
export function narrower(type: Type): readonly (readonly [bits: number, signed: boolean])[] {
  const all = [8, 16, 32].flatMap((bits) => [[bits, false] as const, [bits, true] as const]);
  return all.filter(([bits, signed]) => bits < type.bits || (bits === type.bits && signed !== type.signed));
}

/** What a survivor says of the checks. */
export function reach(bits: number, signed: boolean): string {
  return `no check passes 2^${signed ? bits - 1 : bits}`;
}

function* ofValue(node: Syntax, type: Type, world: World): Generator<Proposal> {
  for (const [bits, signed] of narrower(type)) {
    const name = world.integer(bits, signed);
    const meaning = `${quote(node)} cut to ${bits} bits${signed ? " with a sign" : ""} is never told from the right one: ${reach(bits, signed)} here`;
    const inside = node.type === "parenthesized_expression" ? node.text : `(${node.text})`;
    yield change("narrow-use", meaning, replace(node, `static_cast<${name}>${inside}`));
  }
}
