/** Horizon probes: up to which power of two is a wrong answer still noticed, quantity by quantity? */
import { readNames } from "./bodies.ts";
import type { Draft } from "./draft.ts";
import { finishDrafts } from "./finish.ts";
import { blockOf, isConstantFunction, qualifiedName, statementsOf } from "./functions.ts";
import type { Body, Edit, Mutant } from "./mutant.ts";
import type { Names, Routine, Variable } from "./names.ts";
import { earlyReturns, isStatic } from "./operators/special-case.ts";
import { enclosing, part, type Syntax } from "./syntax.ts";
import { lastName } from "./types.ts";
import { isText } from "./typing.ts";

export interface HorizonProbe {
  /** For a person: "calls of BoundedQueue::push on one object". */
  readonly quantity: string;
  readonly kind: "operations" | "size" | "fill" | "value";
  /**
   * The sources with a wrong answer once the quantity reaches 2^k (minus 2^k for negative ones); null where its type
   * can't hold that.
   */
  readonly at: (k: number) => Mutant | null;
}

/** A function that answers wrongly, and how it does. */
interface Answer {
  readonly file: string;
  readonly routine: Routine;
  readonly block: Syntax;
  readonly leaving: string;
}

interface Plan {
  readonly quantity: string;
  readonly kind: HorizonProbe["kind"];
  /** The largest k that is of use. */
  readonly most: number;
  readonly answers: readonly Answer[];
  readonly edits: (k: number) => Edit[];
}

const containers = new Set(
  "vector deque list map set unordered_map unordered_set multimap multiset string string_view span".split(
    " ",
  ),
);

/**
 * A probe for every observable quantity: calls of each public function, integer parameters, sizes of containers and
 * texts that are given, integer members, and sizes of members. Signed quantities have a second one below zero.
 */
export async function horizonProbes(
  files: ReadonlyMap<string, string>,
  bodies: readonly Body[],
): Promise<HorizonProbe[]> {
  const names = await readNames(files);
  const answers = [...names.roots.keys()].flatMap((file) => answersIn(file, names));
  const open = answers.filter(({ routine }) => isReachable(routine, names));
  const plans = [
    ...open.flatMap((answer) => ofCalls(answer, answers, names)),
    ...open.flatMap((answer) => ofParameters(answer, names)),
    ...ofMembers(answers, names),
  ];
  return plans.map((plan) => asProbe(plan, files, names, bodies));
}

function asProbe(
  plan: Plan,
  files: ReadonlyMap<string, string>,
  names: Names,
  bodies: readonly Body[],
): HorizonProbe {
  const { quantity, kind, most, answers, edits } = plan;
  const [first] = answers;
  const at = (k: number): Mutant | null => {
    if (first === undefined || !Number.isInteger(k) || k < 0 || k > most) return null;
    const draft: Draft = {
      file: first.file,
      family: "horizon",
      operator: `horizon-${kind}`,
      node: first.routine.node,
      edits: edits(k),
      meaning: `a wrong answer once ${quantity} reach ${quantity.endsWith("below zero") ? "-" : ""}2^${k} is never noticed`,
    };
    return finishDrafts([draft], files, names, bodies)[0] ?? null;
  };
  return { quantity, kind, at };
}

/** The functions of a file that can be made to leave early. */
function answersIn(file: string, names: Names): Answer[] {
  return [...names.definitions.values()].flatMap((routine): Answer[] => {
    if (rootOf(routine.node) !== names.roots.get(file)) return [];
    const block = blockOf(routine.node);
    if (block === undefined || statementsOf(block).length === 0) return [];
    const [leaving] = earlyReturns(routine, block, names);
    return leaving === undefined ? [] : [{ file, routine, block, leaving }];
  });
}

function rootOf(node: Syntax): Syntax {
  return node.parent === null ? node : rootOf(node.parent);
}

function isConstructor({ name, owner, node }: Routine): boolean {
  return part(node, "type") === undefined && (name === owner || name.startsWith("~"));
}

/** Whether callers outside of the sources can reach it: public, and not of one file alone. */
function isReachable(routine: Routine, names: Names): boolean {
  const all = (names.routines.get(routine.name) ?? []).filter((each) => each.owner === routine.owner);
  if (routine.owner !== "") return all.every((each) => each.reachable);
  const inner = enclosing(routine.node, new Set(["namespace_definition"]));
  const unnamed = inner !== undefined && part(inner, "name") === undefined;
  return !unnamed && !isStatic(routine, names);
}

function planted(answer: Answer, condition: string, before = ""): Edit {
  const at = answer.block.start + 1;
  return { start: at, end: at, text: `${before} if (${condition}) ${answer.leaving}` };
}

/** Where an object can be told from the next one at its address, the count is that of one object. */
function ofCalls(answer: Answer, answers: readonly Answer[], names: Names): Plan[] {
  const { routine } = answer;
  if (isConstructor(routine) || isConstantFunction(routine.node)) return [];
  const method = routine.owner !== "" && !isStatic(routine, names);
  const births = method ? birthsOf(answer, answers, names) : [];
  const counter = " static thread_local unsigned long long ho_calls = 0;";
  const object = " static thread_local const volatile void* ho_object = nullptr;";
  const renewed = births.length === 0 ? "" : " static thread_local unsigned long long ho_birth = 0;";
  const changed = births.length === 0 ? "ho_object != this" : "ho_object != this || ho_birth != ho_births";
  const kept = births.length === 0 ? "" : " ho_birth = ho_births;";
  const watch = `${object}${renewed} if (${changed}) { ho_object = this; ho_calls = 0;${kept} }`;
  const before = method ? counter + watch : counter;
  const edits = (k: number) =>
    [...births, planted(answer, `++ho_calls >= (1ULL << ${k})`, before)].sort(
      (one, other) => one.start - other.start,
    );
  const quantity = `calls of ${qualifiedName(routine.node, names)}${method ? " on one object" : ""}`;
  return [{ quantity, kind: "operations", most: 62, answers: [answer], edits }];
}

/** Edits that count the objects built, where the constructors stand in the same file, outside of the class. */
function birthsOf(answer: Answer, answers: readonly Answer[], names: Names): Edit[] {
  const { node, owner } = answer.routine;
  const beside = [...names.definitions.values()].filter(
    (each) => each.owner === owner && each.node.parent === node.parent,
  );
  const constructors = beside.filter((each) => isConstructor(each) && each.name === owner);
  const first = Math.min(...beside.map((each) => each.node.start));
  const blocks = constructors.flatMap((each) => blockOf(each.node) ?? []);
  if (blocks.length === 0 || !answers.includes(answer) || node.parent?.type === "field_declaration_list")
    return [];
  const counts = blocks.map((block) => ({
    start: block.start + 1,
    end: block.start + 1,
    text: " ++ho_births;",
  }));
  return [
    { start: first, end: first, text: "static thread_local unsigned long long ho_births = 0; " },
    ...counts,
  ];
}

function ofParameters(answer: Answer, names: Names): Plan[] {
  const owner = qualifiedName(answer.routine.node, names);
  return answer.routine.parameters.flatMap((parameter) => {
    if (parameter.name === "") return [];
    return reaches(
      parameter,
      `values of ${parameter.name} in ${owner}`,
      `sizes of ${parameter.name} in ${owner}`,
    ).map((reach): Plan => {
      const edits = (k: number) => [planted(answer, reach.condition(k))];
      return { ...reach, kind: reach.sized ? "size" : "value", answers: [answer], edits };
    });
  });
}

/** A member counts in all functions of its class that stand in the file with most of them. */
function ofMembers(answers: readonly Answer[], names: Names): Plan[] {
  const members = [...names.variables.values()].flat().filter((each) => each.role === "member");
  return members.flatMap((member) => {
    const users = answers.filter(
      ({ routine }) => routine.owner === member.owner && !isConstructor(routine) && !isStatic(routine, names),
    );
    const files = [...new Set(users.map((each) => each.file))].map((file) =>
      users.filter((each) => each.file === file),
    );
    const most = files.sort((one, other) => other.length - one.length)[0] ?? [];
    if (most.length === 0) return [];
    const name = `${member.owner}::${member.name}`;
    return reaches(member, `values of ${name}`, `sizes of ${name}`).map((reach): Plan => {
      const sorted = most.toSorted((one, other) => one.block.start - other.block.start);
      return {
        ...reach,
        kind: "fill",
        answers: sorted,
        edits: (k) => sorted.map((each) => planted(each, reach.condition(k))),
      };
    });
  });
}

interface Reach {
  readonly quantity: string;
  readonly most: number;
  readonly sized: boolean;
  readonly condition: (k: number) => string;
}

/** The conditions on a variable: at least 2^k, at most -2^k, or a size of at least 2^k. */
function reaches({ name, type }: Variable, values: string, sizes: string): Reach[] {
  if (isText(type) || (type.kind === "class" && containers.has(lastName(type.text))))
    return [{ quantity: sizes, most: 62, sized: true, condition: (k) => `${name}.size() >= (1ULL << ${k})` }];
  if (type.kind !== "integer") return [];
  if (!type.signed)
    return [
      { quantity: values, most: type.bits - 1, sized: false, condition: (k) => `${name} >= (1ULL << ${k})` },
    ];
  const most = type.bits - 2;
  return [
    { quantity: values, most, sized: false, condition: (k) => `${name} >= (1LL << ${k})` },
    { quantity: `${values} below zero`, most, sized: false, condition: (k) => `${name} <= -(1LL << ${k})` },
  ];
}
