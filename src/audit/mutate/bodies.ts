/** The bodies of the functions that a set of files defines. */
import { hasLabel, isConstantFunction, qualifiedName } from "./functions.ts";
import type { Body } from "./mutant.ts";
import { collectNames, type Names } from "./names.ts";
import { parseCpp } from "./parser.ts";
import { above, part, type Syntax, within } from "./syntax.ts";

/** Parses files, and collects what they declare. */
export async function readNames(files: ReadonlyMap<string, string>): Promise<Names> {
  const roots = new Map<string, Syntax>();
  for (const [file, text] of files) roots.set(file, await parseCpp(text));
  return collectNames(roots);
}

/** The outermost functions with a body, in the order of files and text. */
export async function findBodies(files: ReadonlyMap<string, string>): Promise<Body[]> {
  return bodiesOf(await readNames(files));
}

/** The same, of files that are parsed already. */
export function bodiesOf(names: Names): Body[] {
  return [...names.roots].flatMap(([file, root]) => [...below(root, file, names)]);
}

function* below(node: Syntax, file: string, names: Names): Generator<Body> {
  const body = node.type === "function_definition" ? part(node, "body") : undefined;
  if (body === undefined) for (const child of node.children) yield* below(child, file, names);
  else
    yield {
      file,
      start: body.start,
      end: body.end,
      from: node.children.find(({ type }) => type === "field_initializer_list")?.start ?? body.start,
      head: node.children.find(({ type }) => type !== "attribute_declaration")?.start ?? node.start,
      isExported: isExported(node),
      isTemplate: isTemplate(node),
      name: qualifiedName(node, names),
      switchable: body.type === "compound_statement" && !isConstantFunction(node) && !hasLabel(body),
      line: body.line,
    };
}

/** Said in so many words, or by a parameter of type `auto`. */
function isTemplate(definition: Syntax): boolean {
  if ([...above(definition)].some(({ type }) => type === "template_declaration")) return true;
  const declarator = part(definition, "declarator");
  const parameters = declarator ? [...within(declarator)] : [];
  return parameters.some(
    ({ type, parent }) =>
      type === "placeholder_type_specifier" && parent?.type.endsWith("parameter_declaration"),
  );
}

const notExported = new Set(["class_specifier", "struct_specifier", "union_specifier"]);
const localWords = new Set(["inline", "static", "constexpr", "consteval"]);

function isExported(definition: Syntax): boolean {
  const isLocal = definition.children.some(
    ({ type, text }) => /specifier|qualifier/.test(type) && localWords.has(text),
  );
  const isHidden = [...above(definition)].some(
    (each) =>
      notExported.has(each.type) ||
      (each.type === "namespace_definition" && part(each, "name") === undefined),
  );
  return !isLocal && !isHidden && !isTemplate(definition);
}

/** The one body around all edits, or null. */
export function bodyAround(bodies: readonly Body[], file: string, start: number, end: number): Body | null {
  return bodies.find((body) => body.file === file && body.start < start + 1 && end < body.end + 1) ?? null;
}
