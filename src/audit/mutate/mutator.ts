/** What a mutator is, and the small tools that mutators are written with. */
import type { Edit, Family } from "./mutant.ts";
import type { Names } from "./names.ts";
import type { Shown } from "./shown.ts";
import type { Syntax } from "./syntax.ts";

/** One wrong change. The edits lie in the file that is being visited. */
export interface Proposal {
  readonly operator: string;
  readonly edits: readonly Edit[];
  /** What it would mean if nobody noticed: one sentence, without a full stop. */
  readonly meaning: string;
}

/** What a mutator may look at beside the node. */
export interface World {
  readonly names: Names;
  /** The values that the visible tests show. */
  readonly shown: Shown;
  /** How integer types of a width are written here: `std::uint16_t`, or `unsigned short` without `<cstdint>`. */
  readonly integer: (bits: number, signed: boolean) => string;
}

export interface Mutator {
  readonly family: Family;
  /** Proposes changes at this one node. Called for every node of the code, from the outside in. */
  readonly propose: (node: Syntax, world: World) => Iterable<Proposal>;
}

export function replace(node: Syntax, text: string): Edit {
  return { start: node.start, end: node.end, text };
}

export function insertBefore(node: Syntax, text: string): Edit {
  return { start: node.start, end: node.start, text };
}

export function insertAfter(node: Syntax, text: string): Edit {
  return { start: node.end, end: node.end, text };
}

export function change(operator: string, meaning: string, ...edits: readonly Edit[]): Proposal {
  return { operator, meaning, edits };
}

/** The text for a sentence: on one line, and not too long. */
export function quote(node: Syntax): string {
  const line = node.text.split(/\s+/).join(" ");
  return `\`${line.length > 48 ? `${line.slice(0, 47)}…` : line}\``;
}

/** The text as an operand of any operator: in parentheses unless it is a single name, number or call. */
export function operand(node: Syntax): string {
  const single = [
    "identifier",
    "number_literal",
    "call_expression",
    "field_expression",
    "parenthesized_expression",
    "subscript_expression",
  ];
  return single.includes(node.type) ? node.text : `(${node.text})`;
}
