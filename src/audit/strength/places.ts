/** Where a mutant's versions of the text can stand side by side: bodies, and expressions outside of them. */
import type { Body, Edit, Mutant } from "../mutate/mutant.ts";

/** A stretch of a file that can be switched as a whole, or a declaration that may always be there. */
export interface Place {
  readonly kind: "body" | "expression" | "declaration";
  readonly start: number;
  readonly end: number;
}

/**
 * The places that hold all edits of a mutant, or null when some edit is in none: a member's type, a parameter, a
 * body that can't be switched. What is taken for an expression and is none doesn't compile, and then the mutant
 * goes its own way.
 */
export function placesOf(mutant: Mutant, text: string, bodies: readonly Body[]): Place[] | null {
  const places = new Map<number, Place>();
  for (const edit of mutant.edits) {
    const place =
      placeOf(edit, mutant.file, text, bodies) ?? (mutant.family === "horizon" ? counterAt(edit) : null);
    if (place === null) return null;
    places.set(place.start, place);
  }
  return [...places.values()];
}

function placeOf(edit: Edit, file: string, text: string, bodies: readonly Body[]): Place | null {
  const body = bodies.find((b) => b.file === file && b.start < edit.end && edit.start < b.end);
  if (body === undefined) return expressionAround(text, edit);
  if (!body.switchable || edit.start < body.start || edit.end > body.end) return null;
  return { kind: "body", start: body.start, end: body.end };
}

/** What a probe counts with is declared for all: a variable that nothing else touches. */
function counterAt({ start, end, text }: Edit): Place | null {
  return start === end && /^static [^;]*;\s*$/.test(text) ? { kind: "declaration", start, end } : null;
}

/** The initialiser of a member, `(here)`, `{here}`, `[here]` or `= here;`, that holds an edit. */
function expressionAround(text: string, { start, end }: Edit): Place | null {
  const from = openingBefore(text, start);
  if (from === null) return null;
  const to = closingAfter(text, end);
  const inside = text.slice(from + 1, to);
  const isPair = "([{".includes(text[from] ?? "") && ")]}".includes(text[to] ?? "");
  const isAssigned = text[from] === "=" && text[to] === ";";
  if ((!isPair && !isAssigned) || inside.trim() === "" || hasTopLevelComma(inside)) return null;
  return { kind: "expression", start: from + 1, end: to };
}

/** The nearest bracket or `=` to the left that is not closed again, null where a statement begins before it. */
function openingBefore(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start - 1; at >= 0; at--) {
    const char = text[at] ?? "";
    if (")]}".includes(char)) depth++;
    else if ("([{".includes(char)) {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && char === ";") return null;
    else if (depth === 0 && char === "=" && !/[=<>!]/.test(text[at - 1] ?? "")) return at;
  }
  return null;
}

function closingAfter(text: string, end: number): number {
  let depth = 0;
  for (let at = end; at < text.length; at++) {
    const char = text[at] ?? "";
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && depth-- === 0) return at;
    else if (depth === 0 && char === ";") return at;
  }
  return text.length;
}

/** A list of arguments would become the operator of that name. */
function hasTopLevelComma(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === "," && depth === 0) return true;
  }
  return false;
}
