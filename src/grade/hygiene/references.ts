/** Parameters through which a function can write to what it is called with. Pure. */
import type { Token } from "./lexer.ts";
import { afterAngle, afterClosing, isSign, isWord } from "./source-rule.ts";

/** How a parameter takes its argument. */
export type Taking = "value" | "constant" | "rvalue" | "writable";

/**
 * `generic` holds names that the function's own template head introduces: `T&&` of such a `T` takes variables, too.
 * `references` holds names that stand for a reference themselves.
 */
export function takingOf(
  parameter: readonly Token[],
  generic: ReadonlySet<string>,
  references: ReadonlySet<string>,
): Taking {
  const plain = topLevel(parameter);
  const at = plain.findIndex((t) => isSign(t, "&"));
  const isReference = plain.some((t) => t.kind === "word" && (references.has(t.text) || makers.test(t.text)));
  if (at < 0) return isReference ? "writable" : "value";
  const type = plain.slice(0, at);
  if (isConstant(type)) return "constant";
  if (!isSign(plain[at + 1], "&")) return "writable";
  const isDeduced = isReference || type.some((t) => isWord(t, "auto") || generic.has(t.text));
  return isDeduced ? "writable" : "rvalue";
}

/** What makes references of types. */
const makers = /^(add_lvalue_reference(_t)?|reference_wrapper)$/;

/** `const T`, `T const`, `T* const`; not `const T*`, which is a variable of its own. */
function isConstant(type: readonly Token[]): boolean {
  if (isWord(type.at(-1), "const")) return true;
  return type.some((t) => isWord(t, "const")) && !type.some((t) => isSign(t, "*"));
}

/** Without template arguments, what stands in brackets, and defaults; `int (&a)[3]` keeps what tells a reference. */
function topLevel(parameter: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < parameter.length; i++) {
    const token = parameter[i];
    if (token === undefined || isSign(token, "=")) break;
    if (isSign(token, "<")) i = (afterAngle(parameter, i) ?? i + 1) - 1;
    else if (isSign(token, "[", "{")) i = afterClosing(parameter, i) - 1;
    else if (isSign(token, "(") && !isSign(parameter[i + 1], "&")) i = afterClosing(parameter, i) - 1;
    else kept.push(token);
  }
  return kept;
}

/** The items of a list of parameters or template parameters, split at its commas. */
export function itemsOf(tokens: readonly Token[]): (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    const end = isSign(token, "<")
      ? (afterAngle(tokens, i) ?? i + 1)
      : isSign(token, "(", "[", "{")
        ? afterClosing(tokens, i)
        : i + 1;
    if (isSign(token, ",")) items.push([]);
    else for (const one of tokens.slice(i, end)) items.at(-1)?.push(one);
    i = end - 1;
  }
  return items.filter((item) => item.length > 0);
}
