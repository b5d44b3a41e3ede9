import { expect, test } from "vitest";
import { applyPatchText } from "../model/patch.ts";
import type { Tree, TreeEntry } from "../model/tree.ts";
import { treeDiff } from "./tree-diff.ts";

const file = (bytes: string, executable = false): TreeEntry => ({ kind: "file", bytes, executable });
const tree = (entries: Readonly<Record<string, TreeEntry | string>>): Tree =>
  new Map(
    Object.entries(entries).map(([path, entry]) => [path, typeof entry === "string" ? file(entry) : entry]),
  );

/** What the patch reader makes of the difference of two trees. */
function applied(before: Record<string, TreeEntry | string>, after: Record<string, TreeEntry | string>) {
  const diff = treeDiff(tree(before), tree(after));
  if (diff.status !== "patch") return diff;
  const known = new Map(
    Object.entries(before).flatMap(([path, text]) => (typeof text === "string" ? [[path, text]] : [])),
  );
  return applyPatchText(Buffer.from(diff.patch), known, {
    sources: ["src/*", 'r\u00e9 "x".cpp'],
    protect: [],
    mode: "reject",
  });
}

test.each([
  ["a changed line", "a\nb\nc\n", "a\nB\nc\n"],
  [
    "one of many places that are alike",
    "{\n x\n}\n".repeat(20),
    `${"{\n x\n}\n".repeat(9)}{\n y\n}\n${"{\n x\n}\n".repeat(10)}`,
  ],
  ["two far places", `1\n${"x\n".repeat(30)}2\n`, `one\n${"x\n".repeat(30)}two\n`],
  ["a last line without its end", "a\nb", "a\nc"],
  ["an end that is added", "a\nb", "a\nb\n"],
  ["an end that is taken", "a\nb\n", "a\nb"],
  ["everything", "a\n", "completely\nother\n"],
  ["a text of more than ASCII", "// \u00c3\u00a9\nint a;\n", "// \u00c3\u00a8\nint a;\n"],
])("%s is what applying the difference gives", (_what, before, after) => {
  const result = applied(
    { "src/a.cpp": before, "src/b.cpp": "same\n" },
    { "src/a.cpp": after, "src/b.cpp": "same\n" },
  );
  expect(result).toMatchObject({ status: "applied" });
  expect("tree" in result && result.tree.get("src/a.cpp")).toBe(after);
});

test("a new file that a glob admits is created", () => {
  const result = applied({ "src/a.cpp": "a\n" }, { "src/a.cpp": "a\n", "src/new.cpp": "int n;\n" });
  expect("tree" in result && result.tree.get("src/new.cpp")).toBe("int n;\n");
});

test("sources with CRLF keep their line ends", () => {
  const result = applied({ "src/a.cpp": "a\r\nb\r\nc\r\n" }, { "src/a.cpp": "a\r\nB\r\nc\r\n" });
  expect("tree" in result && result.tree.get("src/a.cpp")).toBe("a\r\nB\r\nc\r\n");
});

test("trees that are the same have no difference", () => {
  expect(applied({ "src/a.cpp": "a\n" }, { "src/a.cpp": "a\n" })).toEqual({ status: "same" });
});

test.each<[string, Record<string, TreeEntry | string>, string]>([
  ["a deleted source", {}, "deletion"],
  ["a link in its place", { "src/a.cpp": { kind: "link", target: "/etc/passwd" } }, "symlink"],
  ["an executable source", { "src/a.cpp": file("a\n", true) }, "mode-change"],
  ["a file elsewhere", { "src/a.cpp": "a\n", "a.out": "b\n" }, "not-a-source"],
  ["a name with a line break", { "src/a.cpp": "a\n", "x\ny": "b\n" }, "path-escape"],
])("%s is refused by the judge's own reader", (_what, after, kind) => {
  expect(applied({ "src/a.cpp": "a\n" }, after)).toMatchObject({
    status: "rejected",
    reason: "out-of-scope",
    findings: expect.arrayContaining([expect.objectContaining({ kind })]),
  });
});

test.each<[string, TreeEntry]>([
  ["binary", file("a\0b")],
  ["no UTF-8", file("\xff\xfe")],
  ["too large to be read", { kind: "large" }],
])("a source that is %s makes a binary patch, which is malformed", (_what, entry) => {
  expect(applied({ "src/a.cpp": "a\n" }, { "src/a.cpp": entry })).toMatchObject({
    status: "rejected",
    reason: "malformed",
  });
});

test("a pipe can't be said in a patch", () => {
  expect(treeDiff(tree({}), tree({ p: { kind: "special" } }))).toMatchObject({
    status: "unspeakable",
    why: "p is a pipe, a socket or a device",
  });
});

test("a name with blanks, quotes and more than ASCII is read back as it was", () => {
  const path = 'r\u00c3\u00a9 "x".cpp';
  const result = applied({ "src/a.cpp": "a\n" }, { "src/a.cpp": "a\n", [path]: "b\n" });
  expect(result).toMatchObject({
    status: "rejected",
    findings: [{ file: 'r\u00e9 "x".cpp', kind: "new-file" }],
  });
});
