/** Another operator in the same tree. */

import type { Edit } from "../mutant.ts";
import { insertAfter, insertBefore, replace } from "../mutator.ts";
import { operatorOf, part, type Syntax } from "../syntax.ts";

const safeParents = new Set([
  "return_statement",
  "expression_statement",
  "parenthesized_expression",
  "condition_clause",
  "init_declarator",
  "argument_list",
  "subscript_argument_list",
]);

function loose(node: Syntax | undefined): boolean {
  return node?.type === "binary_expression" || node?.type === "conditional_expression";
}

/** Edits that give a binary expression another operator. Parentheses keep what belongs together. */
export function withOperator(node: Syntax, operator: string): Edit[] {
  const token = operatorOf(node);
  if (token === undefined) return [];
  const edits = [replace(token, operator)];
  for (const side of [part(node, "left"), part(node, "right")])
    if (side !== undefined && loose(side)) edits.push(insertBefore(side, "("), insertAfter(side, ")"));
  if (!safeParents.has(node.parent?.type ?? "")) edits.push(insertBefore(node, "("), insertAfter(node, ")"));
  return edits;
}
