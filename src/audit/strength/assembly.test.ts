import { expect, test } from "vitest";
import { codeByCopy, namespaceOf } from "./assembly.ts";

/** A function of copy `n`, as GCC writes it. */
function copy(n: number, label: number, lines: readonly string[]): string {
  const symbol = `_ZN7${namespaceOf(n)}1fEv`;
  return [
    "\t.text",
    `\t.globl\t${symbol}`,
    `\t.type\t${symbol}, @function`,
    `${symbol}:`,
    `.L${label}:`,
    ...lines,
    `\tjmp\t.L${label}`,
    `\t.size\t${symbol}, .-${symbol}`,
  ].join("\n");
}

test("copies of the same code are the same, whatever their names and labels", () => {
  const code = codeByCopy([copy(0, 3, ["\tret"]), copy(1, 9, ["\tret"]), copy(2, 4, ["\tnop"])].join("\n"));
  expect(code.get(0)).toBe(code.get(1));
  expect(code.get(2)).not.toBe(code.get(0));
});

test("a constant counts by what it holds, not by its label", () => {
  const constants = ['.LC0:\n\t.string\t"a"', '.LC1:\n\t.string\t"a"', '.LC2:\n\t.string\t"b"'];
  const uses = [0, 1, 2].map((n) => copy(n, n, [`\tleaq\t.LC${n}(%rip), %rax`]));
  const code = codeByCopy([...constants, ...uses].join("\n"));
  expect(code.get(0)).toBe(code.get(1));
  expect(code.get(2)).not.toBe(code.get(0));
});

test("a constant that names the copy, as an assertion's text does, is the same in each copy", () => {
  const constants = [0, 1].map((n) => `.LC${n}:\n\t.string\t"std::optional<${namespaceOf(n)}::T>::value"`);
  const uses = [0, 1].map((n) => copy(n, n, [`\tleaq\t.LC${n}(%rip), %rax`]));
  const code = codeByCopy([...constants, ...uses].join("\n"));
  expect(code.get(0)).toBe(code.get(1));
});

test("a text that is stored behind a function is no part of it", () => {
  const text = '\t.section\t.rodata\n.LC7:\n\t.string\t"shared by all"';
  const code = codeByCopy([copy(0, 3, ["\tret"]), text, copy(1, 9, ["\tret"])].join("\n"));
  expect(code.get(0)).toBe(code.get(1));
});

test("code outside of every copy belongs to none", () => {
  expect(codeByCopy("\t.type\tmain, @function\nmain:\n\tret\n").size).toBe(0);
});
