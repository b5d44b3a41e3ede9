/** Casts that take `const` off: what was handed over as a reference to be read only is a variable of the test. */
import type { Token } from "./lexer.ts";
import { keywords } from "./names.ts";
import { afterAngle, afterClosing, type Hit, isSign, isWord, type Rule, tokenRuns } from "./source-rule.ts";

const message = "takes const off, so that a function can write to variables of its caller";

/** `const_cast`, `(T&)x`, `(T*)&x` of an `x` that is handed over as `const`, and the same by an alias of `T&`. */
export const constRule: Rule = (file) =>
  tokenRuns(file).flatMap((tokens) => {
    let known: ConstNames | undefined;
    const names = () => {
      known ??= constNames(tokens);
      return known;
    };
    return tokens.flatMap((token, i): Hit[] => {
      const detail = castAt(tokens, i, names);
      return detail === undefined ? [] : [{ kind: "cast", detail, message, line: token.line }];
    });
  });

interface ConstNames {
  /** Names of pointers and references to something `const`. */
  readonly handed: ReadonlySet<string>;
  /** Names that stand for a reference to something that isn't. */
  readonly references: ReadonlySet<string>;
}

function castAt(tokens: readonly Token[], at: number, names: () => ConstNames): string | undefined {
  const token = tokens[at];
  if (isWord(token, "const_cast")) return addsToThis(tokens, at) ? undefined : "const_cast";
  if (isWord(token, "bit_cast")) {
    const end = isSign(tokens[at + 1], "<") ? afterAngle(tokens, at + 1) : undefined;
    const isConst = isWord(tokens[at + 2], "const");
    return end !== undefined && isSign(tokens[end - 2], "*") && !isConst
      ? "bit_cast to a pointer"
      : undefined;
  }
  if (token?.kind === "word")
    return isSign(tokens[at + 1], "(") && names().references.has(token.text) ? "C-style cast" : undefined;
  if (!isSign(token, "(") || !isCast(tokens, at)) return undefined;
  return dropsConst(tokens, at, names) ? "C-style cast" : undefined;
}

/** `const_cast<const T&>(*this)`, `const_cast<const T*>(this)`: that only adds. */
function addsToThis(tokens: readonly Token[], at: number): boolean {
  const end = isSign(tokens[at + 1], "<") ? afterAngle(tokens, at + 1) : undefined;
  if (end === undefined || !isWord(tokens[at + 2], "const")) return false;
  const [sign, inner] = [tokens[end - 2], end + 1];
  const isObject = isSign(tokens[inner], "*") && isWord(tokens[inner + 1], "this");
  const signs = tokens.slice(at + 2, end - 1).filter((t) => isSign(t, "*", "&")).length;
  if (signs !== 1 || !isSign(tokens[end], "(")) return false;
  return (isSign(sign, "&") && isObject) || (isSign(sign, "*") && isWord(tokens[inner], "this"));
}

/** Words that may follow a list of parameters. */
const trailers = [
  "const",
  "volatile",
  "noexcept",
  "override",
  "final",
  "mutable",
  "requires",
  "try",
  "throw",
];

/** Whether a parenthesis that holds a type could be a cast, by what stands before and after. */
function isCast(tokens: readonly Token[], open: number): boolean {
  const end = afterClosing(tokens, open);
  const [before, last, operand] = [tokens[open - 1], tokens[end - 2], tokens[end]];
  const isType = isSign(last, "&", "*") || (last?.kind === "word" && end - open === 3);
  const isOperand =
    (operand?.kind === "word" && !isWord(operand, ...trailers)) || isSign(operand, "(", "*", "&");
  if (!isType || !isOperand || end - open > longest) return false;
  if (before?.kind !== "word") return true;
  return keywords.has(before.text) && !isWord(before, ...takeTypes);
}

const takeTypes = [
  "decltype",
  "sizeof",
  "alignof",
  "alignas",
  "noexcept",
  "typeid",
  "operator",
  "catch",
  "explicit",
];

/** No honest type has more tokens. */
const longest = 40;

function dropsConst(tokens: readonly Token[], open: number, names: () => ConstNames): boolean {
  const end = afterClosing(tokens, open);
  const type = tokens.slice(open + 1, end - 1);
  const [first, last] = [type[0], type.at(-1)];
  if (first?.kind !== "word" && !isSign(first, "::")) return false;
  if (type.some((t) => isWord(t, "const") || isSign(t, "(", ";", "{", "="))) return false;
  if (isSign(last, "&")) return true;
  if (!isSign(last, "*")) return names().references.has(first?.text ?? "");
  const operand = isSign(tokens[end], "&") ? tokens[end + 1] : tokens[end];
  return isWord(operand, "this") || (operand?.kind === "word" && names().handed.has(operand.text));
}

function constNames(tokens: readonly Token[]): ConstNames {
  const [handed, references] = [new Set<string>(), new Set<string>()];
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== "word" || keywords.has(token.text)) continue;
    if (isSign(tokens[i - 1], "&", "*") && isConstBefore(tokens, i)) handed.add(token.text);
    const isAlias = isWord(tokens[i - 1], "using") && isSign(tokens[i + 1], "=");
    if (isAlias && standsForReference(tokens, i + 2)) references.add(token.text);
    // `typedef T& name;`
    if (isSign(tokens[i - 1], "&") && isSign(tokens[i + 1], ";") && startsTypedef(tokens, i))
      references.add(token.text);
  }
  return { handed, references };
}

function isConstBefore(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i > at - longest && !isSign(tokens[i], ",", "(", ")", ";", "{", "}", "="); i--)
    if (isWord(tokens[i], "const")) return true;
  return false;
}

function startsTypedef(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i > at - longest && !isSign(tokens[i], ";", "{", "}"); i--) {
    if (isWord(tokens[i], "const")) return false;
    if (isWord(tokens[i], "typedef")) return true;
  }
  return false;
}

function standsForReference(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i < from + longest && tokens[i] !== undefined; i++) {
    if (isWord(tokens[i], "const") || isSign(tokens[i], "(")) return false;
    if (isSign(tokens[i], ";")) return isSign(tokens[i - 1], "&");
  }
  return false;
}
