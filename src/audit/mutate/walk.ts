/** The parts of a file that mutators may touch. */
import { functionDeclarator } from "./names.ts";
import type { Syntax } from "./syntax.ts";

/** Constructs that are left alone with everything in them. What the parser did not understand is among them. */
const untouched = new Set([
  ..."ERROR MISSING comment preproc_include preproc_def preproc_function_def preproc_call".split(" "),
  ..."static_assert_declaration using_declaration alias_declaration type_definition friend_declaration".split(
    " ",
  ),
  ..."template_parameter_list template_argument_list requires_clause concept_definition noexcept".split(" "),
  ..."attribute_declaration attribute_specifier enumerator_list bitfield_clause gnu_asm_expression".split(
    " ",
  ),
]);

/** All nodes that may be mutated, from the outside in. */
export function* mutableNodes(node: Syntax): Generator<Syntax> {
  if (untouched.has(node.type) || isFixedValue(node)) return;
  yield node;
  for (const child of node.children) yield* mutableNodes(child);
}

/** Values that the language wants constant, or that aren't values: `case 1:`, `#if X`, `[10]`, `= 0` of pure functions. */
function isFixedValue(node: Syntax): boolean {
  const parent = node.parent;
  if (parent === null) return false;
  if (parent.type === "case_statement") return node.field === "value";
  if (parent.type.startsWith("preproc")) return node.field === "condition" || node.field === "name";
  if (parent.type === "array_declarator") return node.field === "size";
  if (parent.type !== "field_declaration" || node.field !== "default_value") return false;
  return functionDeclarator(parent)?.type === "function_declarator";
}
