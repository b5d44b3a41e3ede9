/** One small wrong change of the reference's sources, and what can be done with it. */

/** One replacement. Offsets are indices into the file's string; files are latin1 strings, one char a byte. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The body of one outermost function, where a mutant may be chosen at run time. */
export interface Body {
  readonly file: string;
  /** Offsets of the body, braces included. */
  readonly start: number;
  readonly end: number;
  /** Where a constructor's initialisers begin; `start` where there are none. */
  readonly from: number;
  /** Where the definition begins, behind its attributes. */
  readonly head: number;
  /** Whether the compiler must emit it for callers elsewhere: not inline, not in a class, not a template, not local to its unit. */
  readonly isExported: boolean;
  /** Whether it is a template's, or in a class template: what it compiles to depends on who uses it. */
  readonly isTemplate: boolean;
  /** Qualified as written, with the enclosing class where the definition stands in one: `BoundedQueue::push`. */
  readonly name: string;
  /**
   * Whether two versions of the body may stand side by side behind a `switch` on a variable. False for constexpr and
   * consteval functions, function-try-blocks and bodies with labels: such mutants are compiled on their own. A
   * body in a header, or of a template, is switchable; `file` tells.
   */
  readonly switchable: boolean;
  /** 1-based. */
  readonly line: number;
}

/**
 * Where a mutator comes from: the `field`'s customary ones, `narrowing` of types, the `habit`s of models, `joint`
 * changes at several sites, and `horizon` probes.
 */
export type Family = "field" | "narrowing" | "habit" | "joint" | "horizon";

export interface Mutant {
  /**
   * The first 12 hex digits of the SHA-256 of file, enclosing function, operator, original and replacement text, and
   * the ordinal among mutants that are equal in all of these. So it outlives changes elsewhere in the file.
   */
  readonly id: string;
  readonly file: string;
  /** 1-based line of the first edit. */
  readonly line: number;
  /** For example "ROR", "mask-for-modulo", "special-case", "narrow-member". */
  readonly operator: string;
  readonly family: Family;
  /** Sorted, not overlapping, all in `file`. */
  readonly edits: readonly Edit[];
  /** The one body that holds all edits; null when there is none (class members, initialiser lists, several bodies). */
  readonly body: Body | null;
  /** What is replaced and by what, for a person. */
  readonly original: string;
  readonly replacement: string;
  /** What it would mean if this mutant survived, one sentence. */
  readonly meaning: string;
}

/** The text with the edits made. They must be sorted and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** The sources with the mutant in them; all other files are the same strings as before. */
export function applyMutant(files: ReadonlyMap<string, string>, mutant: Mutant): Map<string, string> {
  return new Map(files).set(mutant.file, applyEdits(files.get(mutant.file) ?? "", mutant.edits));
}
