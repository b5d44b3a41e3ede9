/** Puts many mutants into one set of sources, behind a switch on a number that is chosen at run time. */
import type { FileTree } from "../../model/task.ts";
import { applyEdits, type Edit, type Mutant } from "../mutate/mutant.ts";
import type { Place } from "./places.ts";

/** A mutant, the places that hold its edits, and the number that switches it on; 0 is the reference. */
export interface Variant {
  readonly number: number;
  readonly mutant: Mutant;
  readonly places: readonly Place[];
}

/**
 * The sources with every mutant's version beside the reference's own. Whole bodies and whole initialisers are
 * switched, since that needs no knowledge of types.
 *
 * The variable is the launcher's, and is declared at the top of the file: a declaration inside of an unnamed namespace
 * would be another variable. Each version bears a file name of its own, by which the compiler's errors are traced
 * back; see {@link numbersIn}.
 */
export function withVariants(files: FileTree, variants: readonly Variant[]): FileTree {
  const result = new Map(files);
  for (const [file, text] of files) {
    const here = variants.filter(({ mutant }) => mutant.file === file);
    if (here.length === 0) continue;
    const regions = merged(here.flatMap(({ places }) => places.filter(isSwitched)));
    const edits = [...regions.map((region) => switched(file, text, region, here)), ...declarations(here)];
    edits.sort((a, b) => a.start - b.start);
    result.set(file, `${declaration}#line 1 ${JSON.stringify(file)}\n${applyEdits(text, edits)}`);
  }
  return result;
}

function isSwitched({ kind }: Place): boolean {
  return kind !== "declaration";
}

/** What some variants declare, once for all. */
function declarations(variants: readonly Variant[]): Edit[] {
  const starts = new Set(
    variants.flatMap(({ places }) => places.filter((p) => !isSwitched(p)).map((p) => p.start)),
  );
  const edits = variants.flatMap(({ mutant }) =>
    mutant.edits.filter(({ start, end }) => start === end && starts.has(start)),
  );
  return [...new Map(edits.map((edit) => [`${edit.start} ${edit.text}`, edit])).values()];
}

/** Places in order, those inside others dropped. */
function merged(places: readonly Place[]): Place[] {
  const sorted = [...places].sort((a, b) => a.start - b.start || b.end - a.end);
  const regions: Place[] = [];
  for (const place of sorted) if (place.start >= (regions.at(-1)?.end ?? 0)) regions.push(place);
  return regions;
}

function switched(file: string, text: string, region: Place, variants: readonly Variant[]): Edit {
  const versions = variants.flatMap(({ number, mutant }) => {
    const edits = mutant.edits.filter(({ start, end }) => region.start <= start && end <= region.end);
    if (edits.length === 0) return [];
    const moved = edits.map((e) => ({ ...e, start: e.start - region.start, end: e.end - region.start }));
    return [{ number, text: applyEdits(text.slice(region.start, region.end), moved) }];
  });
  const original = { file, line: lineOf(text, region.start), text: text.slice(region.start, region.end) };
  const lines = region.kind === "body" ? bodyLines(versions, original) : expressionLines(versions, original);
  const after = `#line ${lineOf(text, region.end)} ${JSON.stringify(file)}`;
  return { start: region.start, end: region.end, text: [...lines, after, ""].join("\n") };
}

interface Version {
  readonly number: number;
  readonly text: string;
}

interface Original {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** C has no `extern "C"`, and there a repeated declaration is as good. */
const declaration = '#ifdef __cplusplus\nextern "C"\n#else\nextern\n#endif\nint ho_mutant;\n';

function bodyLines(versions: readonly Version[], original: Original): string[] {
  return [
    "{ switch (ho_mutant) {",
    ...versions.flatMap(({ number, text }) => [
      `case ${number}:`,
      `#line 1 "${nameOf(number)}"`,
      text,
      "break;",
    ]),
    "default:",
    `#line ${original.line} ${JSON.stringify(original.file)}`,
    original.text,
    "} }",
  ];
}

function expressionLines(versions: readonly Version[], original: Original): string[] {
  return [
    "",
    ...versions.flatMap(({ number, text }) => [
      `#line 1 "${nameOf(number)}"`,
      `ho_mutant == ${number} ? (${text}) :`,
    ]),
    `#line ${original.line} ${JSON.stringify(original.file)}`,
    `(${original.text})`,
  ];
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function nameOf(number: number): string {
  return `variant-${number}`;
}

/** The numbers of the variants that a compiler's messages complain about. */
export function numbersIn(messages: string): Set<number> {
  return new Set(Array.from(messages.matchAll(/\bvariant-(\d+):\d+/g), (match) => Number(match[1])));
}
