/** Joint mutants: the same change at all its sites in a function, or for two members of a class at once. */
import { areApart, type Draft } from "./draft.ts";
import { functionAround } from "./functions.ts";
import type { Edit } from "./mutant.ts";
import type { Names, Variable } from "./names.ts";
import { above, type Syntax, within } from "./syntax.ts";

/** Changes that say nothing new when they are made twice. */
const single = new Set(
  "special-case shown-value clamp-to-shown swapped-statements return-value member-for-member parameter-for-parameter".split(
    " ",
  ),
);

/** Joint drafts made from those for one place. */
export function joinDrafts(
  drafts: readonly Draft[],
  texts: ReadonlyMap<string, string>,
  names: Names,
): Draft[] {
  const usable = drafts.filter((draft) => !single.has(draft.operator));
  return [...atAllSites(usable, texts), ...forPairs(usable, texts, names)];
}

function group<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [item]);
    else list.push(item);
  }
  return groups;
}

/** The edits of all drafts that can be made together; one that touches an earlier one is left out. */
function together(drafts: readonly Draft[]): { edits: Edit[]; count: number } {
  let edits: Edit[] = [];
  let count = 0;
  for (const draft of drafts) {
    const more = [...edits, ...draft.edits];
    if (!areApart(more)) continue;
    edits = more;
    count++;
  }
  return { edits, count };
}

/** The same replacement of the same text throughout a function; a habit, whatever it is applied to, throughout a file. */
function atAllSites(drafts: readonly Draft[], texts: ReadonlyMap<string, string>): Draft[] {
  const alike = group(drafts, (draft) => {
    const body = functionAround(draft.node);
    const [first] = draft.edits;
    if (body === undefined || first === undefined) return undefined;
    const was = texts.get(draft.file)?.slice(first.start, first.end);
    return [draft.file, body.start, draft.operator, was, first.text].join("\0");
  });
  const habits = group(drafts, ({ family, file, operator }) =>
    family === "habit" ? `${file}\0${operator}` : undefined,
  );
  return [
    ...[...alike.values()].flatMap((list) => joined(list, "the function")),
    ...[...habits.values()].flatMap((list) => joined(list, "the file")),
  ];
}

function joined(list: readonly Draft[], where: string): Draft[] {
  const { edits, count } = together(list);
  const [first] = list;
  if (first === undefined || count < 2) return [];
  const meaning = `at all ${count} places of ${where}: ${first.meaning}`;
  return [{ ...first, family: "joint", operator: `${first.operator}-everywhere`, edits, meaning }];
}

interface Subject {
  readonly draft: Draft;
  readonly member: Variable;
}

function forPairs(drafts: readonly Draft[], texts: ReadonlyMap<string, string>, names: Names): Draft[] {
  const members = [...names.variables.values()]
    .flat()
    .filter((each) => each.role === "member" && each.type.kind === "integer");
  const byName = new Map(members.map((each) => [each.name, each]));
  const subjects = drafts.flatMap((draft): Subject[] => {
    const member = subjectOf(draft.node, byName);
    return member === undefined ? [] : [{ draft, member }];
  });
  const groups = group(subjects, ({ draft, member }) => shapeOf(draft, member, texts));
  return [...groups.values()].flatMap(pairsOf);
}

/** The one integer member that a place is about. */
function subjectOf(node: Syntax, members: ReadonlyMap<string, Variable>): Variable | undefined {
  const own = membersIn(node, members);
  const [found] = own.size === 0 ? membersIn(statementOf(node), members) : own;
  return own.size > 1 ? undefined : found;
}

function membersIn(node: Syntax, members: ReadonlyMap<string, Variable>): Set<Variable> {
  const found = new Set<Variable>();
  for (const each of within(node)) {
    const member =
      each.type === "identifier" || each.type === "field_identifier" ? members.get(each.text) : undefined;
    if (member !== undefined) found.add(member);
  }
  return found;
}

function statementOf(node: Syntax): Syntax {
  const ends = (type: string) =>
    type.endsWith("_statement") || type.endsWith("declaration") || type === "field_initializer";
  return [node, ...above(node)].find((each) => ends(each.type)) ?? node;
}

/** What a change looks like when the member's name is left open; equal for two members that are treated alike. */
function shapeOf(draft: Draft, member: Variable, texts: ReadonlyMap<string, string>): string {
  const context = contextOf(draft.node, member);
  const was = draft.edits.map((edit) => texts.get(draft.file)?.slice(edit.start, edit.end)).join("\0");
  const becomes = draft.edits.map((edit) => edit.text).join("\0");
  const open = (text: string) => text.split(member.name).join("$");
  return [
    draft.file,
    draft.operator,
    member.owner,
    member.type.text,
    ...[context.text, was, becomes].map(open),
  ].join("\0");
}

/** Of a bare name, what is around it; of anything without the name, its statement. */
function contextOf(node: Syntax, member: Variable): Syntax {
  if (node.children.length === 0 && node.text === member.name) return node.parent ?? node;
  return node.text.includes(member.name) ? node : statementOf(node);
}

function pairsOf(list: readonly Subject[]): Draft[] {
  const members = [...new Set(list.map((each) => each.member))];
  return members.flatMap((one, index) =>
    members.slice(index + 1).flatMap((other): Draft[] => {
      const drafts = list
        .filter(({ member }) => member === one || member === other)
        .map(({ draft }) => draft);
      const { edits, count } = together(drafts);
      const [first] = drafts;
      if (first === undefined || count < 2) return [];
      const meaning = `\`${one.name}\` and \`${other.name}\` alike: ${first.meaning}`;
      return [{ ...first, family: "joint", operator: `${first.operator}-pair`, edits, meaning }];
    }),
  );
}
