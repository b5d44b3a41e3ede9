/** Drafts → mutants: texts for a person, bodies, identities; duplicates removed. */
import { createHash } from "node:crypto";
import { bodyAround } from "./bodies.ts";
import type { Draft } from "./draft.ts";
import { functionAround, qualifiedName } from "./functions.ts";
import { applyEdits, type Body, type Edit, type Mutant } from "./mutant.ts";
import type { Names } from "./names.ts";

/** Up to this many characters the whole construct is shown rather than only what changes in it. */
const shortConstruct = 100;

/** Finishes drafts. Of those with the same resulting text the first one stays, and the order is kept. */
export function finishDrafts(
  drafts: readonly Draft[],
  texts: ReadonlyMap<string, string>,
  names: Names,
  bodies: readonly Body[],
): Mutant[] {
  const seen = new Set<string>();
  const ordinals = new Map<string, number>();
  const mutants: Mutant[] = [];
  for (const draft of drafts) {
    const text = texts.get(draft.file) ?? "";
    const edits = [...draft.edits].sort((one, other) => one.start - other.start || one.end - other.end);
    const key = `${draft.file}\0${resultKey(text, edits)}`;
    if (seen.has(key) || applyEdits(text, edits) === text) continue;
    seen.add(key);
    mutants.push(finish(draft, edits, text, names, bodies, ordinals));
  }
  return mutants;
}

/** Equal for two lists of edits that give the same text: where the results first and last differ, and what is there. */
function resultKey(text: string, edits: readonly Edit[]): string {
  const from = edits[0]?.start ?? 0;
  const to = edits.at(-1)?.end ?? 0;
  const was = text.slice(from, to);
  const becomes = applyEdits(
    was,
    edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
  );
  let head = 0;
  while (head < was.length && head < becomes.length && was[head] === becomes[head]) head++;
  let tail = 0;
  while (
    tail < was.length - head &&
    tail < becomes.length - head &&
    was.at(-1 - tail) === becomes.at(-1 - tail)
  )
    tail++;
  return [from + head, to - tail, becomes.slice(head, becomes.length - tail)].join("\0");
}

function finish(
  draft: Draft,
  edits: readonly Edit[],
  text: string,
  names: Names,
  bodies: readonly Body[],
  ordinals: Map<string, number>,
): Mutant {
  const { file, family, operator, meaning } = draft;
  const start = edits[0]?.start ?? 0;
  const shown = shownTexts(draft, edits, text);
  const around = functionAround(draft.node);
  const key = [
    file,
    around ? qualifiedName(around, names) : "",
    operator,
    shown.original,
    shown.replacement,
  ].join("\0");
  const ordinal = ordinals.get(key) ?? 0;
  ordinals.set(key, ordinal + 1);
  return {
    id: createHash("sha256").update(`${key}\0${ordinal}`, "latin1").digest("hex").slice(0, 12),
    file,
    line: text.slice(0, start).split("\n").length,
    operator,
    family,
    edits,
    body: bodyAround(bodies, file, start, edits.at(-1)?.end ?? start),
    ...shown,
    meaning,
  };
}

/** The construct before and after when it is short and holds all edits, else the edits alone. */
function shownTexts(
  { node }: Draft,
  edits: readonly Edit[],
  text: string,
): Pick<Mutant, "original" | "replacement"> {
  const inside = edits.every((edit) => edit.start >= node.start && edit.end <= node.end);
  if (inside && node.text.length <= shortConstruct) {
    const shifted = edits.map((edit) => ({
      ...edit,
      start: edit.start - node.start,
      end: edit.end - node.start,
    }));
    return { original: node.text, replacement: applyEdits(node.text, shifted) };
  }
  return {
    original: edits.map((edit) => text.slice(edit.start, edit.end)).join(" … "),
    replacement: edits.map((edit) => edit.text).join(" … "),
  };
}
