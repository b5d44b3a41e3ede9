/** Which mutants are worth judging first, and which to keep when there is a limit. */
import type { Family, Mutant } from "./mutant.ts";
import type { Names } from "./names.ts";
import { type Syntax, within } from "./syntax.ts";

/** Line ranges by file, 1-based, both ends included. */
export type Focus = ReadonlyMap<string, readonly (readonly [number, number])[]>;

function isIn(focus: Focus, file: string, from: number, to: number): boolean {
  return focus.get(file)?.some(([first, last]) => first <= to && from <= last) ?? false;
}

/** Names of members that stand in the lines of the focus. */
function membersIn(focus: Focus, names: Names): Set<string> {
  const found = new Set<string>();
  for (const [file, root] of names.roots)
    for (const node of within(root))
      if (node.type.endsWith("identifier") && isIn(focus, file, node.line, node.line))
        if (names.variables.get(node.text)?.some((each) => each.role === "member")) found.add(node.text);
  return found;
}

/** 0 for sites in the focus, then their functions, then functions that use members of the focus, then all others. */
function rankOf(mutant: Mutant, focus: Focus, members: ReadonlySet<string>, text: string): number {
  if (isIn(focus, mutant.file, mutant.line, mutant.line)) return 0;
  if (mutant.body === null) return [...members].some((name) => mutant.original.includes(name)) ? 1 : 3;
  const body = text.slice(mutant.body.start, mutant.body.end);
  const last = mutant.body.line + body.split("\n").length - 1;
  if (isIn(focus, mutant.file, mutant.body.line, last)) return 1;
  return [...members].some((name) => body.includes(name)) ? 2 : 3;
}

/** Sorts by rank. Within a rank the order of the list stays. */
export function rankMutants(mutants: readonly Mutant[], focus: Focus, names: Names): Mutant[] {
  if (focus.size === 0) return [...mutants];
  const members = membersIn(focus, names);
  const root = (file: string): Syntax | undefined => names.roots.get(file);
  const keyed = mutants.map((mutant) => ({
    mutant,
    rank: rankOf(mutant, focus, members, root(mutant.file)?.text ?? ""),
  }));
  return keyed.sort((one, other) => one.rank - other.rank).map(({ mutant }) => mutant);
}

/** The first `limit` of a ranked list, except that every family keeps at least its share of half the limit. */
export function cutMutants(ranked: readonly Mutant[], limit: number): Mutant[] {
  if (ranked.length <= limit) return [...ranked];
  const families = new Set(ranked.map((each) => each.family));
  const share = Math.max(1, Math.floor(limit / (2 * families.size)));
  const taken = new Map<Family, number>();
  const reserved = new Set<Mutant>();
  for (const mutant of ranked) {
    const count = taken.get(mutant.family) ?? 0;
    if (count < share && reserved.size < limit) reserved.add(mutant);
    taken.set(mutant.family, count + 1);
  }
  for (const mutant of ranked) if (reserved.size < limit) reserved.add(mutant);
  return ranked.filter((each) => reserved.has(each));
}
