import { describe, expect, test } from "vitest";
import { applyPatchText, type PatchResult, type PatchScope } from "./patch.ts";

const scope: PatchScope = { sources: ["a.txt", "src/**"], protect: [], mode: "reject" };
const head = "--- a/a.txt\n+++ b/a.txt\n";
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

/** Applies hunks to `a.txt`; bytes in, bytes out. */
function run(content: string, hunks: string): PatchResult {
  return applyPatchText(Buffer.from(head + hunks, "latin1"), new Map([["a.txt", content]]), scope);
}

function patched(content: string, hunks: string): string {
  const result = run(content, hunks);
  if (result.status === "rejected") throw new Error(`${result.reason}: ${result.message}`);
  return result.tree.get("a.txt") ?? "(gone)";
}

const kinds = (result: PatchResult) =>
  result.status === "applied" ? result.notes.map((note) => note.kind) : result.reason;
const why = (result: PatchResult) => (result.status === "rejected" ? result.message : "applied");

describe("a hunk's header", () => {
  const body = " line 4\n-line 5\n+LINE 5\n line 6\n";
  const wanted = lines(10).replace("line 5\n", "LINE 5\n");
  test.each([
    "@@",
    "@@ ... @@",
    "@@ -1 +1 @@",
    "@@ -4,3 +4,3 @@ int main() {",
    "@@ -4,9 +4,9 @@",
    "@@ -4,1 +4,1 @@",
    "@@ -0,0 +0,0 @@",
    "@@ -99,3 +99,3 @@",
    "@@ int f(int x) @@",
    "@@ -4,3 +4,3",
    "@@-4,3 +4,3@@",
    `@@ -${"9".repeat(400)},3 +4,3 @@`,
  ])("%s is read", (header) => {
    expect(patched(lines(10), `${header}\n${body}`)).toBe(wanted);
  });

  test("wrong counts never cut a change off", () => {
    const two = " line 4\n-line 5\n+LINE 5\n line 6\n-line 7\n+LINE 7\n line 8\n";
    for (const counts of ["-4,3 +4,3", "-4,2 +4,2", "-4,50 +4,1", "-4,5 +4,5"]) {
      expect(patched(lines(10), `@@ ${counts} @@\n${two}`), counts).toBe(wanted.replace("line 7", "LINE 7"));
    }
  });

  test("counts that are one too many do not swallow the next file's header", () => {
    const text = `${head}@@ -4,4 +4,4 @@\n${body}--- a/src/b.cpp\n+++ b/src/b.cpp\n@@ -1 +1 @@\n-b\n+B\n`;
    const tree = new Map([
      ["a.txt", lines(10)],
      ["src/b.cpp", "b\n"],
    ]);
    expect(applyPatchText(Buffer.from(text), tree, scope)).toMatchObject({ files: ["a.txt", "src/b.cpp"] });
  });

  test("changed lines that look like headers are lines where the counts say so", () => {
    expect(patched("-- i;\nx\n", "@@ -1,2 +1,2 @@\n--- i;\n+++ i;\n x\n")).toBe("++ i;\nx\n");
  });
});

describe("where a hunk goes", () => {
  const twice = `a\nb\nc\n${lines(3)}a\nb\nc\n`;
  const change = " a\n-b\n+B\n c\n";

  test("at the stated line, though it would fit elsewhere too", () => {
    expect(patched(twice, `@@ -7,3 +7,3 @@\n${change}`)).toBe(`a\nb\nc\n${lines(3)}a\nB\nc\n`);
    expect(kinds(run(twice, `@@ -1,3 +1,3 @@\n${change}`))).toEqual([]);
  });

  test("nowhere, when two places fit and none is the stated one: both are named", () => {
    const message = "a.txt: hunk 1 (line 3 of the patch) fits at line 1 and at line 7";
    expect(why(run(twice, `@@ -3,3 +3,3 @@\n${change}`))).toBe(message);
    expect(why(run(twice, `@@\n${change}`))).toBe(message);
  });

  test("at an offset, when only one place fits", () => {
    const result = run(lines(30), "@@ -3,3 +3,3 @@\n line 19\n-line 20\n+x\n line 21\n");
    expect(result).toMatchObject({ status: "applied", notes: [{ kind: "offset", file: "a.txt", line: 19 }] });
  });

  test("never onto other lines", () => {
    const result = run(lines(10), "@@ -4,3 +4,3 @@\n line 4\n-line 5\n+x\n line six\n");
    expect(result).toMatchObject({
      reason: "does-not-apply",
      findings: [{ kind: "hunk-misfit", file: "a.txt", line: 4 }],
    });
    expect(why(result)).toBe(
      "a.txt: hunk 1 (line 3 of the patch) does not fit: no line of the file reads: line six",
    );
  });

  test("not elsewhere, when the stated place differs in white space only", () => {
    const content = `f() {\n  x;\n}\n${lines(3)}f() {\n    x;\n}\n`;
    expect(why(run(content, "@@ -7,3 +7,3 @@\n f() {\n-  x;\n+  y;\n }\n"))).toMatch(
      /fits at line 1 and at line 7/,
    );
  });

  test("all or nothing", () => {
    expect(run(lines(10), "@@ -1 +1 @@\n-line 1\n+x\n@@ -5 +5 @@\n-nothing\n+y\n")).toMatchObject({
      reason: "does-not-apply",
    });
  });

  test("in order and without overlap, though context may be shared", () => {
    const first = "@@ -1,3 +1,3 @@\n-line 1\n+x\n line 2\n line 3\n";
    expect(patched(lines(4), `${first}@@ -2,3 +2,3 @@\n line 2\n-line 3\n+y\n line 4\n`)).toBe(
      "x\nline 2\ny\nline 4\n",
    );
    expect(run(lines(4), `${first}@@ -1,2 +1,2 @@\n line 1\n-line 2\n+y\n`)).toMatchObject({
      reason: "does-not-apply",
    });
    expect(run(lines(9), `@@ -8 +8 @@\n-line 8\n+x\n${first}`)).toMatchObject({ reason: "does-not-apply" });
  });

  test("without context only by a stated line", () => {
    expect(patched("a\nb\n", "@@ -1,0 +2 @@\n+x\n")).toBe("a\nx\nb\n");
    expect(patched("a\nb\n", "@@ -0,0 +1 @@\n+x\n")).toBe("x\na\nb\n");
    expect(patched("a\nb\n", "@@ -2,0 +3 @@\n+x\n")).toBe("a\nb\nx\n");
    expect(run("a\nb\n", "@@\n+x\n")).toMatchObject({ reason: "does-not-apply" });
    expect(run("a\nb\n", "@@ -3,0 +4 @@\n+x\n")).toMatchObject({ reason: "does-not-apply" });
  });

  test("twice in one patch: the second part sees the first", () => {
    expect(patched("a\n", `@@ -1 +1 @@\n-a\n+b\n${head}@@ -1 +1 @@\n-b\n+c\n`)).toBe("c\n");
  });
});

describe("white space", () => {
  const source = "int f() {\n\treturn  1;   \n\n}\n";

  test("in context may differ, and stays the source's", () => {
    const hunk = "@@ -1,4 +1,5 @@\n int f() {\n   return 1;\n+  // x\n\n }\n";
    expect(patched(source, hunk)).toBe("int f() {\n\treturn  1;   \n  // x\n\n}\n");
    expect(kinds(run(source, hunk))).toEqual(["lost-prefix", "whitespace"]);
  });

  test("in removed lines may differ too", () => {
    expect(patched(source, "@@ -2 +2 @@\n-    return 1;\n+    return 2;\n")).toBe(
      "int f() {\n    return 2;\n\n}\n",
    );
  });

  test("between tokens must be there where it is in the source", () => {
    expect(run(source, "@@ -2 +2 @@\n-return1;\n+return 2;\n")).toMatchObject({ reason: "does-not-apply" });
  });

  test("is forgiven only where one place fits", () => {
    expect(run("\tx;\ny\n  x;\n", "@@ -1 +1 @@\n-x;\n+z;\n")).toMatchObject({ reason: "does-not-apply" });
  });

  test("lost before tab-indented or whole lines is found again", () => {
    expect(patched("a\n\tb\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n\tb\n-c\n+C\n d\n")).toBe("a\n\tb\nC\nd\n");
    expect(patched("{\nb\n}\nd\ne\n", "@@\n {\n-b\n+B\n}\n-d\n+D\n e\n")).toBe("{\nB\n}\nD\ne\n");
  });
});

describe("line ends", () => {
  const crlf = "a\r\nb\r\nc\r\n";

  test("of a CRLF source survive an LF patch", () => {
    expect(patched(crlf, "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+x\n c\n")).toBe("a\r\nB\r\nx\r\nc\r\n");
    expect(kinds(run(crlf, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"))).toEqual(["line-endings"]);
    expect(patched(crlf, "@@ -1,0 +2 @@\n+x\n")).toBe("a\r\nx\r\nb\r\nc\r\n");
  });

  test("change where a patch that agrees byte for byte changes them", () => {
    expect(patched(crlf, "@@ -2 +2 @@\n-b\r\n+b\n")).toBe("a\r\nb\nc\r\n");
    expect(patched("a\r\nb\n", "@@ -1,2 +1,3 @@\n a\r\n+x\r\n b\n")).toBe("a\r\nx\r\nb\n");
  });

  test("of a new file are LF though the patch was sent with CRLF", () => {
    const text = "--- /dev/null\r\n+++ b/src/new.cpp\r\n@@ -0,0 +1,2 @@\r\n+a\r\n+b\r\n";
    const result = applyPatchText(Buffer.from(text), new Map(), scope);
    expect(result.status === "applied" && result.tree.get("src/new.cpp")).toBe("a\nb\n");
  });
});

describe("the newline at the end", () => {
  const mark = "\\ No newline at end of file\n";
  test.each<[string, string, string, string]>([
    ["added", "a\nb", `@@ -1,2 +1,2 @@\n a\n-b\n${mark}+b\n`, "a\nb\n"],
    ["taken away", "a\nb\n", `@@ -1,2 +1,2 @@\n a\n-b\n+b\n${mark}`, "a\nb"],
    ["missing on both sides", "a\nb", `@@ -1,2 +1,2 @@\n-a\n+A\n b\n${mark}`, "A\nb"],
    ["forgotten in context", "a\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", "A\nb"],
    ["forgotten before an added line", "a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "a\nb\nc\n"],
    ["claimed but there", "a\nb\n", `@@ -1,2 +1,2 @@\n-a\n+A\n b\n${mark}`, "A\nb\n"],
    ["claimed on both sides but there", "a\nb\n", `@@ -2 +2 @@\n-b\n${mark}+B\n${mark}`, "a\nB\n"],
    ["claimed in the middle", "a\nb\n", `@@ -1,2 +1,3 @@\n a\n+x\n${mark} b\n`, "a\nx\nb\n"],
  ])("is right when %s", (_, before, hunk, wanted) => {
    expect(patched(before, hunk)).toBe(wanted);
  });
});

describe("bytes", () => {
  test("that are no UTF-8 survive in kept, removed and added lines", () => {
    expect(patched("\xff\xfe\n\xe4\nz\xa0\n", "@@ -1,3 +1,3 @@\n \xff\xfe\n-\xe4\n+\xf6\xa0\n z\xa0\n")).toBe(
      "\xff\xfe\n\xf6\xa0\nz\xa0\n",
    );
  });

  test("of UTF-8 letters are never taken for white space", () => {
    expect(run("x\xc3\xa0\ny\n", "@@ -1,2 +1,2 @@\n x\xc3\n-y\n+z\n")).toMatchObject({
      reason: "does-not-apply",
    });
  });

  test("of a mark at the top of the source stay", () => {
    expect(patched("\xef\xbb\xbfa\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")).toBe("\xef\xbb\xbfa\nc\n");
  });
});

describe("a search that must fail comes to its end", () => {
  const rows = (row: (i: number) => string) =>
    Array.from({ length: 20_000 }, (_, i) => `${row(i)}\n`).join("");
  const contents: [string, string][] = [
    ["distinct lines", rows((i) => `line ${i}`)],
    ["equal lines", rows(() => "}")],
    ["nearly periodic lines", rows((i) => (i % 50 === 0 ? "x" : "}"))],
  ];
  test.each(contents)("over 20,000 %s with hundreds of hunks", (_, content) => {
    const good = Array.from(
      { length: 300 },
      (_, i) => `@@ -${i * 50 + 9},3 +1 @@\n line ${i * 50 + 3}\n-line ${i * 50 + 4}\n+x\n`,
    );
    const braces = `@@\n${" }\n".repeat(60)}-}\n+x\n x\n x\n`;
    const hunks = content.startsWith("line")
      ? `${good.join("")}@@ -5 +5 @@\n-nowhere\n+x\n`
      : braces.repeat(300);
    expect(run(content, hunks)).toMatchObject({ reason: "does-not-apply" });
  });
});
