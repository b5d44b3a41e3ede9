/** Puts many mutants into one set of sources, behind a switch on a number that is chosen at run time. */
import type { FileTree } from "../../model/task.ts";
import { applyEdits, type Body, type Mutant } from "../mutate/mutant.ts";

/** A mutant and the number that switches it on; 0 is the reference. */
export interface Numbered {
  readonly number: number;
  readonly mutant: Mutant;
}

/** Numbers mutants from 1. */
export function numbered(mutants: readonly Mutant[]): Numbered[] {
  return mutants.map((mutant, i) => ({ number: i + 1, mutant }));
}

/**
 * The sources with every mutant's body beside the reference's own.
 *
 * Whole bodies are switched, since that needs no knowledge of types. The variable is the launcher's `ho_mutant`:
 * the name in the assembler is given, so that the declaration may stand in a function of any namespace. Each
 * body bears a file name of its own, by which the compiler's errors are traced back; see {@link numbersIn}.
 */
export function withVariants(files: FileTree, variants: readonly Numbered[]): FileTree {
  const result = new Map(files);
  for (const [file, text] of files) {
    const here = variants.filter(({ mutant }) => mutant.file === file);
    if (here.length > 0) result.set(file, switchBodies(text, here));
  }
  return result;
}

function switchBodies(text: string, variants: readonly Numbered[]): string {
  const bodies = new Map<number, { body: Body; here: Numbered[] }>();
  for (const variant of variants) {
    const { body } = variant.mutant;
    if (body === null) continue;
    const group = bodies.get(body.start) ?? { body, here: [] };
    group.here.push(variant);
    bodies.set(body.start, group);
  }
  const edits = [...bodies.values()]
    .sort((a, b) => a.body.start - b.body.start)
    .map(({ body, here }) => ({ start: body.start, end: body.end, text: switchedBody(text, body, here) }));
  return applyEdits(text, edits);
}

function switchedBody(text: string, body: Body, here: readonly Numbered[]): string {
  const original = text.slice(body.start, body.end);
  const lastLine = body.line + original.split("\n").length - 1;
  const file = JSON.stringify(body.file);
  return [
    "{",
    'extern int ho_variant_ __asm__("ho_mutant");',
    "switch (ho_variant_) {",
    ...here.flatMap(({ number, mutant }) => [
      `case ${number}:`,
      `#line 1 "${variantName(number)}"`,
      bodyOf(text, body, mutant),
      "break;",
    ]),
    "default:",
    `#line ${body.line} ${file}`,
    original,
    "}",
    `#line ${lastLine} ${file}`,
    "}",
  ].join("\n");
}

/** The mutant's own version of its body, braces included. */
export function bodyOf(text: string, body: Body, mutant: Mutant): string {
  const edits = mutant.edits.map((e) => ({ ...e, start: e.start - body.start, end: e.end - body.start }));
  return applyEdits(text.slice(body.start, body.end), edits);
}

function variantName(number: number): string {
  return `variant-${number}`;
}

/** The numbers of the variants that a compiler's messages complain about. */
export function numbersIn(messages: string): Set<number> {
  return new Set(Array.from(messages.matchAll(/\bvariant-(\d+):\d+/g), (match) => Number(match[1])));
}
