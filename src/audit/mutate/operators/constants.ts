/** Literals: zero, one, one more, one less, the other truth value. */
import { callableAround } from "../functions.ts";
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { part, type Syntax } from "../syntax.ts";
import { typeOf } from "../typing.ts";
import { inBraces } from "./uses.ts";

export const constants: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type === "true" || node.type === "false")
      yield say(node, node.type === "true" ? "false" : "true");
    if (node.type === "number_literal" && !isNullPointer(node, world)) yield* ofNumber(node);
  },
};

function say(node: Syntax, other: string): Proposal {
  return change("constant", `${quote(node)} may be ${other} here and no check notices`, replace(node, other));
}

/** `0` where a pointer is meant has no other value. */
function isNullPointer(node: Syntax, world: World): boolean {
  const parent = node.parent;
  if (node.text !== "0" || parent === null) return false;
  if (parent.type === "return_statement") {
    const callable = callableAround(node);
    const returns = callable && world.names.definitions.get(callable)?.returns;
    return returns?.kind === "pointer" || returns?.kind === "class";
  }
  if (parent.type === "init_declarator") return part(parent, "declarator")?.type === "pointer_declarator";
  const other = [part(parent, "left"), part(parent, "right")].find(
    (side) => side !== undefined && side !== node,
  );
  return other !== undefined && ["pointer", "class"].includes(typeOf(other, world.names).kind);
}

/** The value and the suffix of an integer literal; undefined for octal ones and for anything else. */
function readInteger(text: string): { value: bigint; suffix: string } | undefined {
  const digits = text.split("'").join("").toLowerCase();
  let end = digits.length;
  const hex = digits.startsWith("0x");
  while (end > 1 && "ulz".includes(digits[end - 1] ?? "")) end--;
  const body = digits.slice(0, end);
  const octal = body.length > 1 && body.startsWith("0") && !hex && !body.startsWith("0b");
  const plain = [...(hex ? body.slice(2) : body)].every((each) =>
    (hex ? "0123456789abcdef" : "0123456789b").includes(each),
  );
  return plain && !octal && body !== "" ? { value: BigInt(body), suffix: digits.slice(end) } : undefined;
}

function* ofNumber(node: Syntax): Generator<Proposal> {
  const integer = readInteger(node.text);
  if (integer === undefined) {
    if (node.text.includes(".")) for (const other of ["0.0", "1.0"]) yield say(node, other);
    return;
  }
  const { value, suffix } = integer;
  const wanted = new Set([0n, 1n, value + 1n, value - 1n]);
  wanted.delete(value);
  for (const other of wanted) {
    if (other < 0n && inBraces(node)) continue;
    yield say(node, other < 0n ? `(${other}${suffix})` : `${other}${suffix}`);
  }
}
