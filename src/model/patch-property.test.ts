import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyPatchText, type PatchScope, type Tree } from "./patch.ts";

const scope: PatchScope = { sources: ["a.txt", "src/**"], protect: [], mode: "reject" };

// Few distinct lines, so that hunks are often ambiguous and lines look like parts of a diff.
const line = fc.oneof(
  fc.constantFrom(
    "",
    "}",
    "  x;",
    "\tx;",
    "- i;",
    "+ i",
    "\\ y",
    "@@ -1 +1 @@",
    "```",
    "a  b",
    "ä",
    "-- ",
    "-",
    " ",
  ),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[\r\n\0]/g, "")),
);
const file = (eol: string) =>
  fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([lines, open]) => lines.join(eol) + (open || lines.length === 0 ? "" : eol));

/** A file, and the same with a few lines replaced, added or removed. */
const pair = (eol: string) =>
  fc
    .tuple(
      file(eol),
      fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 3 }),
    )
    .map(([before, edits]) => {
      const lines = before.split(eol);
      for (const [at, drop, add] of edits) lines.splice(at, drop, ...add);
      return [before, lines.join(eol)] as const;
    });

const latin1 = (text: string) => Buffer.from(text).toString("latin1");

function check(patch: string, before: string, after: string): void {
  const result = applyPatchText(Buffer.from(patch), new Map([["a.txt", latin1(before)]]), scope);
  if (before === after) expect(result).toMatchObject({ reason: "no-change" });
  else expect(result.status === "applied" ? result.tree.get("a.txt") : result.message).toBe(latin1(after));
}

const patchOf = (before: string, after: string, context = 3) =>
  createTwoFilesPatch("a/a.txt", "b/a.txt", before, after, "", "", { context });

test.each(["\n", "\r\n"])("any edit comes back from its own diff (lines end with %j)", (eol) => {
  fc.assert(
    fc.property(pair(eol), fc.integer({ min: 0, max: 4 }), ([before, after], context) => {
      fc.pre(before !== after);
      check(patchOf(before, after, context), before, after);
    }),
    { numRuns: 1500 },
  );
});

const word = fc.stringMatching(/^[a-z]{1,4}$/);
const distinct = fc.tuple(
  fc.uniqueArray(word, { minLength: 1, maxLength: 40 }),
  fc.array(fc.tuple(fc.nat(39), word), { minLength: 1, maxLength: 3 }),
);

/** A file of distinct lines, and the same with a few of them replaced by lines that are new. */
const clear = distinct.map(([words, edits]) => {
  const after = [...words];
  for (const [at, text] of edits) after[at % after.length] = `new ${text}`;
  return [`${words.join("\n")}\n`, `${after.join("\n")}\n`] as const;
});

const manglings: readonly [string, (patch: string) => string][] = [
  ["wrong counts", (patch) => patch.replace(/^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/gm, "@@ -$1,1$2 +$3,$2 @@")],
  ["counts of one", (patch) => patch.replace(/^@@ .*/gm, "@@ -1 +1 @@")],
  ["bare headers", (patch) => patch.replace(/^@@ .*/gm, "@@")],
  ["CRLF", (patch) => patch.replaceAll("\n", "\r\n")],
  ["a fence", (patch) => `Here:\n\`\`\`diff\n${patch}\`\`\`\nDone.\n`],
  ["no last newline", (patch) => patch.trimEnd()],
  ["no prefixes", (patch) => patch.replace(/^(---|\+\+\+) [ab]\//gm, "$1 ")],
  ["trailing blanks", (patch) => patch.replace(/^( .*)$/gm, "$1  ")],
];

test.each(manglings)("a clear edit survives %s", (_, mangle) => {
  fc.assert(
    fc.property(clear, ([before, after]) => {
      check(mangle(patchOf(before, after)), before, after);
    }),
    { numRuns: 300 },
  );
});

test("a mangled diff is applied rightly or not at all", () => {
  fc.assert(
    fc.property(
      clear,
      fc.nat(400),
      fc.constantFrom("drop", "double", "cut"),
      ([before, after], seed, how) => {
        const lines = patchOf(before, after).split("\n");
        const at = seed % lines.length;
        if (how === "cut") lines.length = at;
        else lines.splice(at, 1, ...(how === "double" ? [lines[at] ?? "", lines[at] ?? ""] : []));
        const result = applyPatchText(Buffer.from(lines.join("\n")), new Map([["a.txt", before]]), scope);
        if (result.status === "rejected") return;
        // What it changes is made of lines that either side knows.
        const known = new Set(`${before}\n${after}`.split("\n"));
        expect(
          result.tree
            .get("a.txt")
            ?.split("\n")
            .every((text) => known.has(text)),
        ).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});

const shape = fc.constantFrom(
  "--- a/a.txt\n",
  "+++ b/a.txt\n",
  "@@ -1,3 +1,3 @@\n",
  "@@\n",
  "@@@ -1 -1 +1 @@@\n",
  " a\n",
  "-a\n",
  "+b\n",
  "\n",
  "```diff\n",
  "```\n",
  "~~~\n",
  "diff --git a/a.txt b/a.txt\n",
  "rename from a.txt\n",
  "GIT binary patch\n",
  "Index: a.txt\n",
  "=====\n",
  "\\ No newline\n",
  "new file mode 100644\n",
  "--- /dev/null\n",
  "+++ /dev/null\n",
  "-- \n",
  "2.39\n",
  "*** Begin Patch\n",
  "\r",
  "\t",
  '"a/\\303',
  "5c\n",
  "/../",
);

test("no bytes make it throw, and it never touches the tree it was given", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.oneof(shape, fc.string({ maxLength: 4 })), { maxLength: 30 })
      .map((parts) => Buffer.from(parts.join(""))),
  );
  const before = "a\nb\na\n";
  const tree: Tree = new Map([["a.txt", before]]);
  fc.assert(
    fc.property(bytes, fc.constantFrom("reject" as const, "drop" as const), (patch, mode) => {
      const result = applyPatchText(patch, tree, { ...scope, mode });
      expect(result.digest).toMatch(/^[0-9a-f]{64}$/);
      expect([...tree]).toEqual([["a.txt", before]]);
      if (result.status === "applied")
        expect(result.files.every((path) => /^(?:a\.txt$|src\/)/.test(path))).toBe(true);
      else expect(result.message).not.toBe("");
    }),
    { numRuns: 4000 },
  );
});

test.each<[string, string]>([
  ["newlines", "\n"],
  ["fences", "```\n~~~\n"],
  ["hunks", "@@\n a\n"],
  ["files", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n"],
  ["spaces in a header", `--- a${" ".repeat(4000)}x\n+++ b${".".repeat(4000)} x\n+\n`],
  ["broken hunks", "@@ -1,9 +1,9 @@\n a\nprose\n\n\n"],
  ["one line of spaces", " "],
  ["fence-like lines", `\`\`\`${" ".repeat(150)}\`\n`],
  ["quotes", '--- "a\\\n+++ "b\n@@\n'],
])("2 MiB of %s are refused before the test runs out of time", (_, piece) => {
  const unit = `x\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n`;
  const patch = Buffer.from(unit + piece.repeat(Math.floor((2 * 1024 * 1024) / piece.length)));
  expect(applyPatchText(patch, new Map([["a.txt", "a\n".repeat(20_000)]]), scope).status).toBe("rejected");
});
