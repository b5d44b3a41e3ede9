/** Which function a construct stands in, and what is known of it. */
import { functionDeclarator, type Names, type Routine } from "./names.ts";
import { above, constructs, enclosing, part, type Syntax, within } from "./syntax.ts";

const callables = new Set(["function_definition", "lambda_expression"]);

/** The nearest function or lambda around. */
export function callableAround(node: Syntax): Syntax | undefined {
  return enclosing(node, callables);
}

/** The outermost function definition around: methods of local classes belong to the function that declares them. */
export function functionAround(node: Syntax): Syntax | undefined {
  return [node, ...above(node)].findLast((each) => each.type === "function_definition");
}

/** What is known of the outermost function around. */
export function routineAround(node: Syntax, names: Names): Routine | undefined {
  const definition = functionAround(node);
  return definition && names.definitions.get(definition);
}

/** `Class::name`, with the class that stands around the definition or in its name. */
export function qualifiedName(definition: Syntax, names: Names): string {
  const routine = names.definitions.get(definition);
  const written = functionDeclarator(definition);
  const declarator = written && part(written, "declarator");
  if (declarator?.type === "qualified_identifier") return declarator.text;
  const name = routine?.name ?? declarator?.text ?? "";
  return routine !== undefined && routine.owner !== "" ? `${routine.owner}::${name}` : name;
}

/** The braces of a function; undefined for `= default`, `= delete`, declarations and function-try-blocks. */
export function blockOf(definition: Syntax): Syntax | undefined {
  const body = part(definition, "body");
  return body?.type === "compound_statement" ? body : undefined;
}

/** The statements of a block, without comments and preprocessor lines. */
export function statementsOf(block: Syntax): Syntax[] {
  return constructs(block).filter((each) => !each.type.startsWith("preproc"));
}

/** Whether the function is evaluated while compiling. */
export function isConstantFunction(definition: Syntax): boolean {
  return definition.children.some(
    (each) => each.type === "type_qualifier" && (each.text === "constexpr" || each.text === "consteval"),
  );
}

/** Whether a body can't be copied, because a label would be declared twice. */
export function hasLabel(block: Syntax): boolean {
  for (const node of within(block)) if (node.type === "labeled_statement") return true;
  return false;
}

/** Whether a function that returns something ends with the statement: without it, control would run off the end. */
export function endsFunction(statement: Syntax, names: Names): boolean {
  const callable = callableAround(statement);
  const block = callable && blockOf(callable);
  if (callable === undefined || block === undefined) return false;
  return names.definitions.get(callable)?.returns.kind !== "void" && statementsOf(block).at(-1) === statement;
}
