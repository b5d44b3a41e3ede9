/** The names that a set of files declares: variables with their scopes, functions, classes, aliases. */
import { above, constructs, enclosing, part, parts, type Syntax, within } from "./syntax.ts";
import { declare, declaredName, readType, type Type, unknownType } from "./types.ts";

export interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly role: "parameter" | "local" | "member" | "global";
  /** The class of a member, else "". */
  readonly owner: string;
  /** The file's root, where it is visible, and from which offset. */
  readonly scope: Syntax;
  readonly from: number;
  /** The declaration, the type specifier in it, and the initial value. */
  readonly declaration: Syntax;
  readonly specifier: Syntax;
  readonly initial: Syntax | null;
}

/** A function's definition or declaration. */
export interface Routine {
  readonly name: string;
  readonly owner: string;
  readonly node: Syntax;
  /** Whether it is a definition rather than a declaration. */
  readonly defined: boolean;
  /** Of kind "void" for constructors and destructors as well. */
  readonly returns: Type;
  readonly parameters: readonly Variable[];
  /** Declared in the `public` part of a class, or outside of any. */
  readonly reachable: boolean;
}

export interface Names {
  readonly roots: ReadonlyMap<string, Syntax>;
  readonly variables: ReadonlyMap<string, readonly Variable[]>;
  readonly routines: ReadonlyMap<string, readonly Routine[]>;
  /** Function definitions by their node. */
  readonly definitions: ReadonlyMap<Syntax, Routine>;
  readonly classes: ReadonlySet<string>;
  /** What `using X = …` and `typedef … X` stand for, by name. */
  readonly aliases: ReadonlyMap<string, Syntax>;
}

const scopes = new Set([
  ..."compound_statement for_statement for_range_loop if_statement while_statement catch_clause".split(" "),
  ..."lambda_expression function_definition declaration_list translation_unit".split(" "),
  ..."class_specifier struct_specifier union_specifier".split(" "),
]);
export const classTypes: ReadonlySet<string> = new Set([
  "class_specifier",
  "struct_specifier",
  "union_specifier",
]);
const locals = new Set(["compound_statement", "function_definition", "lambda_expression"]);
const declarations = new Set([
  "declaration",
  "field_declaration",
  "parameter_declaration",
  "optional_parameter_declaration",
  "for_range_loop",
]);

/** The class in whose text the node stands, or "". */
export function classAround(node: Syntax): string {
  const around = enclosing(node, classTypes);
  return (around && part(around, "name")?.text) ?? "";
}

/** The function's own declarator, below pointers and references to what it returns. */
export function functionDeclarator(node: Syntax): Syntax | undefined {
  const declarator =
    part(node, "declarator") ?? constructs(node).find((each) => each.type.endsWith("_declarator"));
  if (declarator === undefined || declarator.type === "function_declarator") return declarator;
  return functionDeclarator(declarator);
}

/** The class of a method: the one around it, or the one that its qualified name gives. */
function ownerOf(node: Syntax, name: Syntax | undefined): string {
  if (name?.type !== "qualified_identifier") return classAround(node);
  const names = name.text.split("::").map((each) => each.trim().split("<")[0] ?? "");
  return names.at(-2) ?? "";
}

function simpleName(name: Syntax | undefined): string {
  if (name?.type !== "qualified_identifier") return name?.text ?? "";
  const inner = part(name, "name");
  return simpleName(inner);
}

/** Whether a member stands in the public part of its class. */
function isPublic(node: Syntax): boolean {
  const member = node.parent?.type === "template_declaration" ? node.parent : node;
  const list = member.parent;
  if (list?.type !== "field_declaration_list") return true;
  const before = list.children.slice(0, list.children.indexOf(member));
  const access = before.findLast((each) => each.type === "access_specifier");
  return access === undefined ? list.parent?.type !== "class_specifier" : access.text.startsWith("public");
}

/** The type that a function returns, with what the declarator adds. */
function returnType(node: Syntax, aliases: ReadonlyMap<string, Syntax>): Type {
  const declarator = functionDeclarator(node);
  const trailing = declarator?.children.find((each) => each.type === "trailing_return_type");
  const written = trailing ? constructs(trailing)[0] : part(node, "type");
  if (written === undefined) return { ...unknownType, kind: "void" };
  const outer = part(node, "declarator");
  const type = readType(written, aliases);
  return outer === undefined || outer === declarator ? type : declare(type, outer);
}

class Collector {
  readonly variables = new Map<string, Variable[]>();
  readonly routines = new Map<string, Routine[]>();
  readonly definitions = new Map<Syntax, Routine>();
  readonly classes = new Set<string>();
  readonly aliases = new Map<string, Syntax>();

  readAliases(root: Syntax): void {
    for (const node of within(root)) {
      if (classTypes.has(node.type)) this.classes.add(part(node, "name")?.text ?? "");
      const name = node.type === "alias_declaration" ? part(node, "name") : undefined;
      const type = part(node, "type");
      if (name && type) this.aliases.set(name.text, type);
      const typedef = node.type === "type_definition" ? part(node, "declarator") : undefined;
      if (typedef?.type === "type_identifier" && type) this.aliases.set(typedef.text, type);
    }
  }

  read(root: Syntax): void {
    for (const node of within(root)) {
      if (node.type === "function_definition") this.addRoutine(node);
      else if (declarations.has(node.type)) {
        if (isPrototype(node)) this.addRoutine(node);
        else this.addVariables(node);
      }
    }
  }

  found(): Omit<Names, "roots"> {
    const { variables, routines, definitions, classes, aliases } = this;
    return { variables, routines, definitions, classes, aliases };
  }

  private addVariables(node: Syntax): void {
    const specifier = part(node, "type");
    const scope = scopeOf(node);
    if (specifier === undefined || scope === undefined) return;
    for (const declarator of parts(node, "declarator")) {
      const variable = this.variable(node, specifier, declarator, scope);
      if (variable !== null) append(this.variables, variable.name, variable);
    }
  }

  private variable(node: Syntax, specifier: Syntax, declarator: Syntax, scope: Syntax): Variable | null {
    const name = declaredName(declarator);
    if (name === undefined) return null;
    const member = node.type === "field_declaration";
    const inside = locals.has(scope.type) || [...above(scope)].some((each) => locals.has(each.type));
    const initial = part(declarator, "value") ?? part(node, "default_value") ?? null;
    return {
      name: name.text,
      type: declare(readType(specifier, this.aliases), declarator),
      role: member
        ? "member"
        : node.type.endsWith("parameter_declaration")
          ? "parameter"
          : inside
            ? "local"
            : "global",
      owner: member ? classAround(node) : "",
      scope,
      from: name.end,
      declaration: node,
      specifier,
      initial,
    };
  }

  private addRoutine(node: Syntax): void {
    const declarator = functionDeclarator(node);
    const name = declarator && part(declarator, "declarator");
    const list = declarator && part(declarator, "parameters");
    if (name === undefined || list === undefined) return;
    const parameters = constructs(list).flatMap((each) => {
      const specifier = part(each, "type");
      if (specifier === undefined) return [];
      const inner = part(each, "declarator");
      const type = readType(specifier, this.aliases);
      return inner
        ? (this.variable(each, specifier, inner, node) ?? [])
        : { ...unnamed(each, specifier, node), type };
    });
    const routine: Routine = {
      name: simpleName(name),
      owner: ownerOf(node, name),
      node,
      defined: node.type === "function_definition",
      returns: returnType(node, this.aliases),
      parameters,
      reachable: isPublic(node),
    };
    append(this.routines, routine.name, routine);
    if (routine.defined) this.definitions.set(node, routine);
  }
}

function unnamed(declaration: Syntax, specifier: Syntax, scope: Syntax): Omit<Variable, "type"> {
  return {
    name: "",
    role: "parameter",
    owner: "",
    scope,
    from: declaration.end,
    declaration,
    specifier,
    initial: null,
  };
}

function append<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function isPrototype(node: Syntax): boolean {
  return (
    node.type !== "for_range_loop" &&
    node.type !== "parameter_declaration" &&
    functionDeclarator(node)?.type === "function_declarator"
  );
}

/** Where a declaration is visible; undefined for the parameters of something that has no body. */
function scopeOf(node: Syntax): Syntax | undefined {
  if (node.type === "for_range_loop") return node;
  const scope = enclosing(node, scopes);
  if (!node.type.endsWith("parameter_declaration")) return scope;
  return scope && ["function_definition", "lambda_expression", "catch_clause"].includes(scope.type)
    ? scope
    : undefined;
}

/** Reads the declarations of the parsed files. */
export function collectNames(roots: ReadonlyMap<string, Syntax>): Names {
  const collector = new Collector();
  for (const root of roots.values()) collector.readAliases(root);
  for (const root of roots.values()) collector.read(root);
  return { ...collector.found(), roots };
}
