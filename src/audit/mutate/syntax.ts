/** The syntax tree of one file as plain objects, and the few ways to walk it. */

export interface Syntax {
  /** The grammar's name of the construct, or the token itself: `binary_expression`, `+`. */
  readonly type: string;
  /** What it is to its parent (`left`, `condition`), where the grammar says so. */
  readonly field: string | null;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly parent: Syntax | null;
  readonly children: readonly Syntax[];
}

/** The child that the grammar calls `field`. */
export function part(node: Syntax, field: string): Syntax | undefined {
  return node.children.find((child) => child.field === field);
}

/** All children that the grammar calls `field`. */
export function parts(node: Syntax, field: string): Syntax[] {
  return node.children.filter((child) => child.field === field);
}

/** The children that are constructs, comments left out. */
export function constructs(node: Syntax): Syntax[] {
  return node.children.filter((child) => child.named && child.type !== "comment");
}

/** The node itself and everything below it, in the order of the text. */
export function* within(node: Syntax): Generator<Syntax> {
  yield node;
  for (const child of node.children) yield* within(child);
}

/** The parent, its parent, and so on to the root. */
export function* above(node: Syntax): Generator<Syntax> {
  for (let at = node.parent; at !== null; at = at.parent) yield at;
}

/** The nearest node above of one of the types. */
export function enclosing(node: Syntax, types: ReadonlySet<string>): Syntax | undefined {
  for (const candidate of above(node)) if (types.has(candidate.type)) return candidate;
  return undefined;
}

/** The expression inside any number of parentheses. */
export function bare(node: Syntax): Syntax {
  const inner = node.type === "parenthesized_expression" ? constructs(node)[0] : undefined;
  return inner === undefined ? node : bare(inner);
}

/** The unnamed token of a binary, unary, update or assignment expression. */
export function operatorOf(node: Syntax): Syntax | undefined {
  return part(node, "operator");
}

/** Whether the construct is one of the type, with an operator among those listed. */
export function hasOperator(node: Syntax, type: string, operators: ReadonlySet<string>): boolean {
  return node.type === type && operators.has(operatorOf(node)?.text ?? "");
}
