/** Drafts → mutants: texts for a person, bodies, identities; duplicates removed. */
import { createHash } from "node:crypto";
import { bodyAround } from "./bodies.ts";
import type { Draft } from "./draft.ts";
import { functionAround, qualifiedName } from "./functions.ts";
import { applyEdits, type Body, type Edit, type Mutant } from "./mutant.ts";
import type { Names } from "./names.ts";

/** Up to this many characters the whole construct is shown rather than only what changes in it. */
const shortConstruct = 100;

/** What finishing one draft takes from the whole. */
interface Whole {
  readonly names: Names;
  readonly bodies: readonly Body[];
  /** How many mutants share an identity but for their ordinal. */
  readonly ordinals: Map<string, number>;
}

/** Finishes drafts. Of those with the same resulting text the first one stays, and the order is kept. */
export function finishDrafts(
  drafts: readonly Draft[],
  texts: ReadonlyMap<string, string>,
  names: Names,
  bodies: readonly Body[],
): Mutant[] {
  const seen = new Set<string>();
  const whole: Whole = { names, bodies, ordinals: new Map() };
  const lineAt = lineFinder();
  const mutants: Mutant[] = [];
  for (const draft of drafts) {
    const text = texts.get(draft.file) ?? "";
    const edits = [...draft.edits].sort((one, other) => one.start - other.start || one.end - other.end);
    const result = resultKey(text, edits);
    const key = `${draft.file}\0${result}`;
    if (result === null || seen.has(key)) continue;
    seen.add(key);
    mutants.push(finish(draft, edits, text, lineAt(text, edits[0]?.start ?? 0), whole));
  }
  return mutants;
}

/** 1-based line of an offset. Line ends are kept by text: a long file has many mutants. */
function lineFinder(): (text: string, offset: number) => number {
  const known = new Map<string, number[]>();
  return (text, offset) => {
    const ends = known.get(text) ?? [...text.matchAll(/\n/g)].map((each) => each.index);
    known.set(text, ends);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/**
 * Equal for two lists of edits that give the same text: where the results first and last differ, and what is there.
 * Null when the edits change nothing.
 */
function resultKey(text: string, edits: readonly Edit[]): string | null {
  const from = edits[0]?.start ?? 0;
  const to = edits.at(-1)?.end ?? 0;
  const was = text.slice(from, to);
  const becomes = applyEdits(was, moved(edits, -from));
  if (was === becomes) return null;
  const most = Math.min(was.length, becomes.length);
  let head = 0;
  while (head < most && was[head] === becomes[head]) head++;
  let tail = 0;
  while (tail < most - head && was.at(-1 - tail) === becomes.at(-1 - tail)) tail++;
  return [from + head, to - tail, becomes.slice(head, becomes.length - tail)].join("\0");
}

function moved(edits: readonly Edit[], by: number): Edit[] {
  return edits.map((edit) => ({ ...edit, start: edit.start + by, end: edit.end + by }));
}

function finish(draft: Draft, edits: readonly Edit[], text: string, line: number, whole: Whole): Mutant {
  const { file, family, operator, meaning } = draft;
  const { names, bodies, ordinals } = whole;
  const start = edits[0]?.start ?? 0;
  const shown = shownTexts(draft, edits, text);
  const around = functionAround(draft.node);
  const name = around ? qualifiedName(around, names) : "";
  const key = [file, name, operator, shown.original, shown.replacement].join("\0");
  const ordinal = ordinals.get(key) ?? 0;
  ordinals.set(key, ordinal + 1);
  const id = createHash("sha256").update(`${key}\0${ordinal}`, "latin1").digest("hex").slice(0, 12);
  const body = bodyAround(bodies, file, start, edits.at(-1)?.end ?? start);
  return { id, file, line, operator, family, edits, body, ...shown, meaning };
}

/** The construct before and after when it is short and holds all edits, else the edits alone. */
function shownTexts(
  { node }: Draft,
  edits: readonly Edit[],
  text: string,
): Pick<Mutant, "original" | "replacement"> {
  const inside = edits.every((edit) => edit.start >= node.start && edit.end <= node.end);
  if (inside && node.text.length <= shortConstruct) {
    return { original: node.text, replacement: applyEdits(node.text, moved(edits, -node.start)) };
  }
  return {
    original: edits.map((edit) => text.slice(edit.start, edit.end)).join(" … "),
    replacement: edits.map((edit) => edit.text).join(" … "),
  };
}
