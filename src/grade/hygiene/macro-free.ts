/** Whether no macro of a tree's own can reach a test, so that the preprocessor need not be asked. Pure. */
import type { FileTree } from "../../model/task.ts";
import { type Directive, type LexOptions, lex } from "./lexer.ts";

/** Directives that leave no macro behind and hide no text. */
const harmless = new Set(["include", "endif", "error", "warning"]);

/**
 * Whether every file holds no directives but includes, `#pragma once` and include guards: macros that bear no
 * value, in capitals, defined right behind the `#ifndef` that asks for them, and that no test names. Any other
 * condition counts: what stands under it may depend on the test, or upset the brackets that rules go by.
 */
export function isMacroFree(tree: FileTree, mentioned: ReadonlySet<string>, options: LexOptions): boolean {
  return [...tree.values()].every((text) => {
    const { directives } = lex(text, options);
    return directives.every((d, i) => leavesNothing(d, directives[i - 1], directives[i + 1], mentioned));
  });
}

function leavesNothing(
  d: Directive,
  before: Directive | undefined,
  after: Directive | undefined,
  mentioned: ReadonlySet<string>,
): boolean {
  if (d.name === "pragma") return d.tokens.map(({ text }) => text).join(" ") === "once";
  if (d.name === "ifndef") return after?.name === "define" && after.tokens[0]?.text === d.tokens[0]?.text;
  if (d.name !== "define") return harmless.has(d.name);
  const [name = "", ...body] = d.tokens.map(({ text }) => text);
  const isGuard = before?.name === "ifndef" && before.tokens[0]?.text === name;
  return isGuard && body.length === 0 && /^[A-Z][A-Z0-9_]*$/.test(name) && !mentioned.has(name);
}
