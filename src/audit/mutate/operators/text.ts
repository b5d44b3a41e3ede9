/** Texts and ranges: another character, another search, the other end. */
import { change, type Mutator, type Proposal, quote, replace, type World } from "../mutator.ts";
import { constructs, hasOperator, operatorOf, part, type Syntax } from "../syntax.ts";
import { calledName, isText, typeOf } from "../typing.ts";

const pairs: readonly (readonly [string, string])[] = [
  ["find", "rfind"],
  ["find_first_of", "find_last_of"],
  ["find_first_not_of", "find_last_not_of"],
  ["begin", "end"],
  ["cbegin", "cend"],
  ["rbegin", "rend"],
  ["front", "back"],
  ["starts_with", "ends_with"],
  ["lower_bound", "upper_bound"],
  ["min", "max"],
  ["floor", "ceil"],
  ["tolower", "toupper"],
  ["isdigit", "isalnum"],
  ["isspace", "isblank"],
  ["isalpha", "isalnum"],
];
const equality = new Set(["==", "!="]);

export const text: Mutator = {
  family: "field",
  *propose(node, world) {
    if (node.type === "char_literal") yield* ofCharacter(node);
    if (node.type === "string_literal" && node.parent?.type !== "concatenated_string") yield* ofString(node);
    if (node.type === "call_expression") yield* ofCall(node, world);
    if (hasOperator(node, "binary_expression", equality)) yield* ofComparison(node, world);
  },
};

/** Characters without an escape get their neighbour, their other case, a space, and the terminator. */
function* ofCharacter(node: Syntax): Generator<Proposal> {
  const character = node.text.length === 3 ? (node.text[1] ?? "") : "";
  const next = character === "" ? "" : String.fromCharCode(character.charCodeAt(0) + 1);
  const upper = character.toUpperCase();
  const others = new Set([next, upper === character ? character.toLowerCase() : upper, " "]);
  for (const other of others)
    if (other !== character && other >= " " && other <= "~" && other !== "'" && other !== "\\")
      yield say(node, `'${other}'`);
  if (node.text !== "'\\0'") yield say(node, "'\\0'");
}

function say(node: Syntax, other: string): Proposal {
  return change("text", `${quote(node)} may be ${other} here and no check notices`, replace(node, other));
}

function* ofString(node: Syntax): Generator<Proposal> {
  if (node.text.startsWith('"') && node.text !== '""') yield say(node, '""');
  const content = constructs(node);
  const last = content.at(-1);
  if (content.length === 1 && last?.type === "string_content" && last.text.length > 1)
    yield say(node, `"${last.text.slice(0, -1)}"`);
}

/** A function for its counterpart, which takes the same arguments. */
function* ofCall(node: Syntax, world: World): Generator<Proposal> {
  const callee = part(node, "function");
  const name = callee && calledName(callee);
  if (callee === undefined || name === undefined || world.names.routines.has(name)) return;
  const method = callee.type === "field_expression";
  const searches = name.endsWith("find");
  const object = method ? part(callee, "argument") : undefined;
  if (searches && !(object && isText(typeOf(object, world.names)))) return;
  const start = callee.start + callee.text.lastIndexOf(name);
  for (const pair of pairs) {
    if (!pair.includes(name)) continue;
    const other = pair[0] === name ? pair[1] : pair[0];
    yield change("counterpart", `${quote(callee)} may be \`${other}\` and no check notices`, {
      start,
      end: start + name.length,
      text: other,
    });
  }
}

/** Two texts of which one only begins with the other, or that are only as long as each other. */
function* ofComparison(node: Syntax, world: World): Generator<Proposal> {
  const [left, right] = [part(node, "left"), part(node, "right")];
  if (left === undefined || right === undefined) return;
  if (![left, right].every((each) => isText(typeOf(each, world.names)))) return;
  const operator = operatorOf(node)?.text ?? "==";
  yield change(
    "text-comparison",
    `${quote(node)} may compare beginnings only and no check notices`,
    replace(node, `(${left.text}.substr(0, ${right.text}.size()) ${operator} ${right.text})`),
  );
  yield change(
    "text-comparison",
    `${quote(node)} may compare lengths only and no check notices`,
    replace(node, `(${left.text}.size() ${operator} ${right.text}.size())`),
  );
}
