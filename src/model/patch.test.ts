import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { applyPatchText, type PatchScope, type Tree } from "./patch.ts";

const root = fileURLToPath(new URL("../../test/fixtures/patches/", import.meta.url));
const literal = ["include/bounded_queue.hpp", "src/bounded_queue.cpp"];

function treeOf(folder: string): Tree {
  return new Map(literal.map((path) => [path, readFileSync(`${root}${folder}/${path}`, "latin1")]));
}

function scopeOf(more: Partial<PatchScope> = {}): PatchScope {
  return { sources: literal, protect: ["tests/**", "oracles/**", "manifest.json"], mode: "reject", ...more };
}

const queue = treeOf("queue");
const diff = (name: string) => readFileSync(`${root}diffs/${name}.diff`);
const apply = (text: string | Uint8Array, tree: Tree, scope: PatchScope) =>
  applyPatchText(typeof text === "string" ? Buffer.from(text) : text, tree, scope);

function patched(result: ReturnType<typeof apply>, path: string): string {
  if (result.status === "rejected") throw new Error(`${result.reason}: ${result.message}`);
  return result.tree.get(path) ?? "(no such file)";
}

const good = patched(apply(diff("00-good"), queue, scopeOf()), "src/bounded_queue.cpp");

describe("the shared cases", () => {
  test.each(["01-patch", "01-bare-at", "02-patch", "03-patch", "04-patch", "04-cut-one-line", "05-patch"])(
    "%s comes to the good fix, byte for byte",
    (name) => {
      expect(patched(apply(diff(name), queue, scopeOf()), "src/bounded_queue.cpp")).toBe(good);
    },
  );

  test.each(["07-patch", "07-marker-forgotten"])("%s gives the file its last newline", (name) => {
    const source = patched(
      apply(diff(name), treeOf("queue-without-last-newline"), scopeOf()),
      "src/bounded_queue.cpp",
    );
    expect(source).toContain("buf_[tail_ % cap_]");
    expect(source.endsWith("  head_++;\n  count_--;\n  return v;\n}\n")).toBe(true);
  });

  const outside = readdirSync(`${root}diffs`).filter((name) => /^(?:1[0-3]-|5[3-7]_)/.test(name));
  test.each(outside.map((name) => name.replace(".diff", "")))("%s is out of scope", (name) => {
    expect(apply(diff(name), queue, scopeOf())).toMatchObject({ status: "rejected", reason: "out-of-scope" });
    if (!/^10-|visible|hidden/.test(name)) return;
    expect(apply(diff(name), queue, scopeOf({ mode: "drop" }))).toMatchObject({ reason: "out-of-scope" });
  });

  test("the ed script is malformed", () => {
    expect(apply(diff("59_ed_script"), queue, scopeOf())).toMatchObject({
      status: "rejected",
      reason: "malformed",
    });
  });

  test("new headers and sources are welcome once a glob admits them", () => {
    const scope = scopeOf({ sources: ["include/*.hpp", "src/*.cpp"] });
    expect(apply(diff("13-new-header"), queue, scope)).toMatchObject({
      status: "applied",
      files: ["include/slot.hpp", "src/bounded_queue.cpp"],
    });
    expect(patched(apply(diff("13-new-source"), queue, scope), "src/slot.cpp")).toMatch(
      /^#include <cstddef>\nstd::size_t slot/,
    );
    expect(apply(diff("11-patch"), queue, scope)).toMatchObject({ reason: "out-of-scope" });
    expect(apply(diff("13-rename-source"), queue, scope)).toMatchObject({ reason: "out-of-scope" });
    expect(apply(diff("13-delete-source"), queue, scope)).toMatchObject({ reason: "out-of-scope" });
  });

  test("what is merely not a source is dropped on demand, and said so", () => {
    const scope = scopeOf({ mode: "drop", protect: [] });
    const result = apply(diff("10-good-plus-tests"), queue, scope);
    expect(patched(result, "src/bounded_queue.cpp")).toBe(good);
    expect(result).toMatchObject({
      dropped: [{ file: "tests/visible.cpp", reason: expect.stringContaining("not among") }],
    });
    expect(apply(diff("10-tests-only"), queue, scope)).toMatchObject({ reason: "no-change" });
    for (const name of [
      "12-dotdot",
      "12-absolute",
      "12-dot-bypass",
      "12-git-internals",
      "12-symlink-to-oracle",
    ]) {
      expect(apply(diff(name), queue, scope), name).toMatchObject({ reason: "out-of-scope" });
    }
  });

  test("the record says what was mended", () => {
    const kinds = (name: string) => {
      const result = apply(diff(name), queue, scopeOf());
      return result.status === "applied" ? [...new Set(result.notes.map((note) => note.kind))] : [];
    };
    expect(kinds("00-good")).toEqual([]);
    expect(kinds("01-patch")).toEqual(["recount"]);
    expect(kinds("01-bare-at")).toEqual(["bare-header"]);
    expect(kinds("02-patch")).toEqual(["fence"]);
    expect(kinds("05-patch")).toEqual(["line-endings"]);
    expect(kinds("04-cut-one-line")).toEqual(["recount"]);
  });
});

const scope: PatchScope = { sources: ["src/*.cpp", "a.txt"], protect: ["src/main.cpp"], mode: "reject" };
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
const one = (content: string): Tree => new Map([["a.txt", content]]);
const ten = one(lines(10));
const changedTen = lines(10).replace("line 5\n", "LINE 5\n");
const head = "--- a/a.txt\n+++ b/a.txt\n";
const hunk = "@@ -4,3 +4,3 @@\n line 4\n-line 5\n+LINE 5\n line 6\n";

describe("finding the diff", () => {
  const one = ["src/a.cpp"];
  const there = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1 +1 @@\n-int a;\n+int b;\n";
  const back = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1 +1 @@\n-int b;\n+int a;\n";
  const onA = (text: string) => apply(text, new Map([["src/a.cpp", "int a;\n"]]), scopeOf({ sources: one }));

  test("the same diff a second time is taken once, and noted", () => {
    const result = onA(there + there);
    expect(patched(result, "src/a.cpp")).toBe("int b;\n");
    expect(result).toMatchObject({ notes: [{ kind: "fragment", line: 6 }] });
  });

  test("the same diff again after what undid it is applied again, and one for another place is another", () => {
    expect(patched(onA(there + back + there), "src/a.cpp")).toBe("int b;\n");
    expect(onA(there + there.replace("-1 +1", "-9 +9"))).toMatchObject({ reason: "does-not-apply" });
  });

  const indented = (text: string) => text.replace(/^(?=.)/gm, "   ");
  test.each<[string, string]>([
    ["a fence of tildes", `Sure!\n~~~patch\n${head}${hunk}~~~\nDone.\n`],
    ["a fence without info", `\`\`\`\n${head}${hunk}\`\`\`\n`],
    ["a fence that is never closed", `\`\`\`diff\n${head}${hunk}`],
    ["an indented fence", `1. Apply this:\n\n${indented(`\`\`\`diff\n${head}${hunk}\`\`\``)}\n\n2. Done\n`],
    ["a diff in a cpp fence", `\`\`\`cpp\n${head}${hunk}\`\`\`\n`],
    ["a fence of four marks around", `\`\`\`\`markdown\n\`\`\`diff\n${head}${hunk}\`\`\`\n\`\`\`\`\n`],
    [
      "prose around without any fence",
      `Here you are:\n\n${head}${hunk}\nThis fixes it:\n\n- Mask to modulo\n- Head moves\n`,
    ],
    ["a rule and headings after", `${head}${hunk}\n---\n\n## Why\n\nBecause.\n`],
    ["a block that only shows code", `\`\`\`cpp\n--- masks\nx\n--- y ---\n\`\`\`\n${head}${hunk}`],
    [
      "a quotation of the change",
      `\`\`\`diff\n-line 5\n+LINE 5\n\`\`\`\nIn full:\n\`\`\`diff\n${head}${hunk}\`\`\`\n`,
    ],
    ["a byte order mark", `\ufeff${head}${hunk}`],
    ["git headers", `diff --git a/a.txt b/a.txt\nindex 123..456 100644\n${head}${hunk}`],
    ["git without prefixes", `diff --git a.txt a.txt\n--- a.txt\n+++ a.txt\n${hunk}`],
    ["mnemonic prefixes", `diff --git i/a.txt w/a.txt\n--- i/a.txt\n+++ w/a.txt\n${hunk}`],
    ["one prefix forgotten", `--- a/a.txt\n+++ a.txt\n${hunk}`],
    ["a dot in front", `--- ./a.txt\n+++ ./a.txt\n${hunk}`],
    ["timestamps", `--- a.txt\t2024-01-02 03:04:05.000000000 +0000\n+++ a.txt 2024-01-02 03:04:05\n${hunk}`],
    [
      "svn",
      `Index: a.txt\n=====================\n--- a.txt\t(revision 3)\n+++ a.txt\t(working copy)\n${hunk}`,
    ],
    ["diff -u", `diff -u a/a.txt b/a.txt\n${head}${hunk}`],
    ["equal modes", `diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100644\n${head}${hunk}`],
    ["an executable that stays one", `diff --git a/a.txt b/a.txt\nindex 12..34 100755\n${head}${hunk}`],
    [
      "a mail",
      `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\n---\n a.txt | 2 +-\n\ndiff --git a/a.txt b/a.txt\n${head}${hunk}-- \n2.39.2\n\n`,
    ],
    ["a mail with wrong counts", `${head}${hunk.replace("4,3", "4,9")}-- \n2.39.2\n\n`],
    ["an empty line before the hunk", `${head}\n${hunk}`],
    ["no hunk header at all", head + hunk.slice(hunk.indexOf("\n") + 1)],
  ])("%s is no obstacle", (_, text) => {
    expect(patched(apply(text, ten, scope), "a.txt")).toBe(changedTen);
    expect(patched(apply(text.replaceAll("\n", "\r\n"), ten, scope), "a.txt"), "with CRLF").toBe(changedTen);
    expect(patched(apply(text.trimEnd(), ten, scope), "a.txt"), "without last newline").toBe(changedTen);
  });

  test("a part that breaks off is never half applied", () => {
    const more = " line 6\n-line 7\n+LINE 7\n";
    for (const gap of ["...\n", "\n...\n", "// and so on\n"]) {
      expect(apply(`\`\`\`diff\n${head}${hunk}${gap}${more}\`\`\`\n`, ten, scope), gap).toMatchObject({
        reason: "does-not-apply",
      });
    }
    const indentedSecond = `${head}@@ -8,9 +8 @@\n-line 8\n+LINE 8\n\nAnd:\n\n${indented(`\`\`\`diff\n${head}${hunk}\`\`\``)}\n`;
    expect(patched(apply(indentedSecond, ten, scope), "a.txt")).toBe(changedTen.replace("line 8", "LINE 8"));
  });

  test("several blocks are applied in order", () => {
    const second = "@@ -8 +8 @@\n-line 8\n+LINE 8\n";
    const text = `First:\n\`\`\`diff\n${head}${hunk}\`\`\`\nthen:\n~~~diff\n${head}${second}~~~\n`;
    expect(patched(apply(text, ten, scope), "a.txt")).toBe(changedTen.replace("line 8", "LINE 8"));
    const loose = `${head}${hunk}\nthen\n\n${second}`;
    expect(patched(apply(loose, ten, scope), "a.txt")).toBe(changedTen.replace("line 8", "LINE 8"));
  });

  test.each<[string, string, string]>([
    [
      "prose",
      "I can't fix this.",
      "line 1: there is no unified diff in this text; it starts with: I can't fix this.",
    ],
    [
      "a context diff",
      "*** a.txt\n--- a.txt\n***************\n*** 4,6 ****\n  line 4\n! line 5\n--- 4,6 ----\n",
      "line 4: this is a context diff; send a unified diff (diff -u, git diff)",
    ],
    [
      "a combined diff",
      `diff --cc a.txt\n--- a/a.txt\n+++ b/a.txt\n@@@ -4,3 -4,3 +4,3 @@@\n  line 4\n`,
      "line 1: this is the combined diff of a merge; send a plain unified diff",
    ],
    [
      "a normal diff",
      "5c5\n< line 5\n---\n> LINE 5\n",
      "line 1: this is an ed script or a normal diff; send a unified diff",
    ],
    [
      "an ed script",
      "--- a/a.txt\n+++ b/a.txt\n5c\nLINE 5\n.\nw\n",
      "line 1: this is an ed script or a normal diff; send a unified diff",
    ],
    [
      "apply_patch's format",
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-line 5\n+LINE 5\n*** End Patch\n",
      "line 1: this is apply_patch's format; send a unified diff",
    ],
    ["a hunk without a file", hunk, "line 1: a hunk comes before any header that names its file"],
    ["headers alone", head, "line 1: a/a.txt is named, but no hunk (@@) follows"],
    ["a hunk without lines", `${head}@@ -1 +1 @@\n`, "line 3: the hunk has no lines"],
    [
      "a binary patch",
      "diff --git a/a.txt b/a.txt\nindex 1..2\nGIT binary patch\nliteral 3\nzcmV\n",
      "line 3: the patch is binary; only text can be judged",
    ],
    [
      "binary files",
      "Binary files a/a.txt and b/a.txt differ\n",
      "line 1: the patch is binary; only text can be judged",
    ],
    ["NUL bytes", `${head}${hunk}\0`, "the patch is binary: it holds NUL bytes"],
    [
      "a part that nothing can place",
      `\`\`\`diff\n-line 8\n+LINE 8\n\`\`\`\n\`\`\`diff\n${head}${hunk}\`\`\`\n`,
      "line 1: this block is marked as a diff, but names no file and has no hunk header",
    ],
  ])("%s is malformed", (_, text, message) => {
    expect(apply(text, ten, scope)).toMatchObject({ status: "rejected", reason: "malformed", message });
  });

  test("more than 8 MiB is malformed", () => {
    expect(apply(Buffer.alloc(8 * 1024 * 1024 + 1, 10), ten, scope)).toMatchObject({ reason: "malformed" });
    expect(apply(Buffer.alloc(8 * 1024 * 1024, 10), ten, scope)).toMatchObject({ reason: "no-change" });
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["white space", " \r\n\t\n"],
    ["context alone", `${head}@@ -4 +4 @@\n line 4\n`],
    ["a line replaced by itself", `${head}@@ -4 +4 @@\n-line 4\n+line 4\n`],
    ["git headers alone", "diff --git a/a.txt b/a.txt\nindex 12..34 100644\n"],
  ])("%s changes nothing", (_, text) => {
    expect(apply(text, ten, scope)).toMatchObject({ status: "rejected", reason: "no-change" });
  });
});

test("the digest is that of the raw bytes", () => {
  expect(apply("", ten, scope).digest).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});
