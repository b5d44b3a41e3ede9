/** Types as far as the mutators need to know them. */
import { constructs, part, type Syntax } from "./syntax.ts";

export interface Type {
  /** As written, without qualifiers: `std::size_t`. */
  readonly text: string;
  readonly kind: "integer" | "boolean" | "floating" | "pointer" | "class" | "void" | "unknown";
  /** Width of an integer where `long` has 64 bits; 0 for other kinds. */
  readonly bits: number;
  readonly signed: boolean;
  readonly constant: boolean;
  readonly reference: boolean;
  /** What a pointer points to, or what an array or a container holds. */
  readonly element: Type | null;
}

export const unknownType: Type = {
  text: "",
  kind: "unknown",
  bits: 0,
  signed: false,
  constant: false,
  reference: false,
  element: null,
};

/** Integer types by width, signed ones first; `char` is signed on the machines that are supported. */
const integers: readonly (readonly [bits: number, signed: string, unsigned: string])[] = [
  [8, "int8_t,int_least8_t,char,signed char", "uint8_t,uint_least8_t,unsigned char,byte"],
  [16, "int16_t,int_least16_t,short,short int", "uint16_t,uint_least16_t,unsigned short,char16_t"],
  [
    32,
    "int32_t,int_least32_t,int_fast32_t,int,signed,wchar_t",
    "uint32_t,uint_least32_t,unsigned,unsigned int,char32_t",
  ],
  [
    64,
    "int64_t,ptrdiff_t,ssize_t,intptr_t,intmax_t,long,long int,long long,long long int",
    "uint64_t,size_t,size_type,uintptr_t,uintmax_t,unsigned long,unsigned long int,unsigned long long,unsigned long long int",
  ],
];

function namesOf(): Map<string, Pick<Type, "kind" | "bits" | "signed">> {
  const table = new Map<string, Pick<Type, "kind" | "bits" | "signed">>();
  for (const [bits, signed, unsigned] of integers) {
    for (const name of signed.split(",")) table.set(name, { kind: "integer", bits, signed: true });
    for (const name of unsigned.split(",")) table.set(name, { kind: "integer", bits, signed: false });
  }
  for (const name of ["float", "double", "long double"])
    table.set(name, { kind: "floating", bits: 0, signed: true });
  table.set("bool", { kind: "boolean", bits: 0, signed: false });
  table.set("void", { kind: "void", bits: 0, signed: false });
  return table;
}

const known = namesOf();

/** The name without the namespaces before it and the template arguments after it. */
export function lastName(text: string): string {
  const plain = text.endsWith(">") ? text.slice(0, text.indexOf("<")) : text;
  return (plain.split("::").at(-1) ?? plain).trim();
}

/** A type by its name: `std::uint32_t`, `unsigned long`. Other names are of kind "class". */
export function namedType(text: string): Type {
  const simple = known.get(lastName(text.split(/\s+/).join(" ")));
  return { ...unknownType, kind: "class", text, ...simple };
}

/** The first template argument of `std::vector<T>` and the like. */
function firstArgument(node: Syntax, aliases: ReadonlyMap<string, Syntax>): Type | null {
  const template = [node, ...constructs(node)].find((each) => each.type === "template_type");
  const list = template && part(template, "arguments");
  const first = list && constructs(list)[0];
  const inner = first && part(first, "type");
  return inner === undefined ? null : readType(inner, aliases);
}

/** The type that a type specifier names. Aliases of the same sources are looked through, a few deep. */
export function readType(node: Syntax, aliases: ReadonlyMap<string, Syntax>, depth = 0): Type {
  const alias = aliases.get(lastName(node.text));
  if (alias !== undefined && depth < 8) return { ...readType(alias, aliases, depth + 1), text: node.text };
  const owner = node.parent;
  const constant =
    owner?.children.some((each) => each.type === "type_qualifier" && each.text.startsWith("const")) ?? false;
  if (node.type === "placeholder_type_specifier" || node.type === "decltype")
    return { ...unknownType, text: node.text, constant };
  if (node.type === "type_descriptor") {
    const inner = part(node, "type");
    const read = inner === undefined ? unknownType : readType(inner, aliases, depth + 1);
    const declarator = part(node, "declarator");
    return declarator === undefined ? read : declare(read, declarator);
  }
  return { ...namedType(node.text), constant, element: firstArgument(node, aliases) };
}

/** What the declarator makes of the type: `*`, `&`, `[]`. */
export function declare(type: Type, declarator: Syntax): Type {
  switch (declarator.type) {
    case "pointer_declarator":
    case "abstract_pointer_declarator":
    case "array_declarator": {
      const constant = declarator.children.some(
        (each) => each.type === "type_qualifier" && each.text === "const",
      );
      const outer: Type = { ...unknownType, text: `${type.text}*`, kind: "pointer", constant, element: type };
      return deeper(outer, declarator);
    }
    case "reference_declarator":
    case "abstract_reference_declarator":
      return deeper({ ...type, reference: true }, declarator);
    case "init_declarator":
    case "parenthesized_declarator":
    case "function_declarator":
      return deeper(type, declarator);
    default:
      return type;
  }
}

function deeper(type: Type, declarator: Syntax): Type {
  const inner = part(declarator, "declarator") ?? constructs(declarator).find(isDeclarator);
  return inner === undefined ? type : declare(type, inner);
}

function isDeclarator(node: Syntax): boolean {
  return node.type.endsWith("_declarator") || node.type === "identifier" || node.type === "field_identifier";
}

/** The name that a declarator declares, as a node; structured bindings and unnamed parameters have none. */
export function declaredName(declarator: Syntax): Syntax | undefined {
  if (
    ["identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name"].includes(
      declarator.type,
    )
  )
    return declarator;
  const inner = part(declarator, "declarator") ?? constructs(declarator).find(isDeclarator);
  return inner === undefined ? undefined : declaredName(inner);
}

/** Whether arithmetic is defined on it. */
export function isNumeric(type: Type): boolean {
  return type.kind === "integer" || type.kind === "floating";
}
