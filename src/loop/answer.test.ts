import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Brief } from "../model/brief.ts";
import { applyPatchText } from "../model/patch.ts";
import { patchFromAnswer } from "./answer.ts";

const source = Array.from({ length: 12 }, (_, i) => `int line_${i};`).join("\n");
const brief: Brief = {
  task: "t",
  prompt: "",
  mayChange: ["src/a.cpp", "src/b.cpp"],
  tests: [],
  sources: [
    { path: "src/a.cpp", text: `${source}\n` },
    { path: "src/b.cpp", text: "int b;\nint c;\nint b2;\n" },
  ],
};
const alone: Brief = { ...brief, sources: brief.sources.slice(0, 1) };
const fence = (info: string, body: string) => `\`\`\`${info}\n${body}\n\`\`\``;
const edit = (search: string, replace: string) =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replace}${replace === "" ? "" : "\n"}>>>>>>> REPLACE`;

/** The sources after the patch in an answer, or why there is none. */
function result(answer: string, of = brief): Record<string, string> | string {
  const found = patchFromAnswer(answer, of);
  if (found.status === "none") return found.why;
  const tree = new Map(of.sources.map(({ path, text }) => [path, Buffer.from(text).toString("latin1")]));
  const applied = applyPatchText(Buffer.from(found.patch), tree, {
    sources: of.mayChange,
    protect: [],
    mode: "reject",
  });
  if (applied.status === "rejected") return `${applied.reason}: ${applied.message}`;
  return Object.fromEntries(applied.files.map((path) => [path, applied.tree.get(path) ?? ""]));
}

const changed = source.replace("line_5", "mended");

describe("a diff", () => {
  const diff = "--- a/src/b.cpp\n+++ b/src/b.cpp\n@@ -1,3 +1,3 @@\n int b;\n-int c;\n+int d;\n int b2;";
  test.each([
    ["bare", diff],
    ["in a fence with prose around it", `I mend it:\n\n${fence("diff", diff)}\n\nDone.`],
    [
      "after what the model thought aloud",
      `<think>\n${fence("cpp src/a.cpp", "int wrong;")}\n</think>\n${fence("diff", diff)}`,
    ],
    ["twice over", `First:\n${fence("diff", diff)}\nAll in all:\n${fence("diff", diff)}`],
    [
      "twice over, once under git's own header",
      `${fence("diff", diff)}\n\n${fence("diff", `diff --git a/src/b.cpp b/src/b.cpp\n${diff}`)}`,
    ],
    [
      "beside a quotation of the code",
      `It was:\n${fence("cpp", "int b;\nint c;")}\nso:\n${fence("diff", diff)}`,
    ],
  ])("%s is taken as it is", (_name, answer) => {
    expect(result(answer)).toEqual({ "src/b.cpp": "int b;\nint d;\nint b2;\n" });
  });

  test.each([
    ["search and replace blocks", `${edit("int b;", "int e;")}\n${fence("diff", diff)}`],
    ["another source whole", `${fence("diff", diff)}\n${fence("cpp src/a.cpp", changed)}`],
  ])("beside %s has two readings", (_name, answer) => {
    expect(result(answer)).toMatch(/^no patch found · a diff.* in one answer/);
  });

  test("beside the same source whole, and another as it was, is taken", () => {
    const files = [fence("cpp src/b.cpp", "int b;\nint d;\nint b2;"), fence("cpp src/a.cpp", source)];
    expect(result([fence("diff", diff), ...files].join("\n"))).toEqual({
      "src/b.cpp": "int b;\nint d;\nint b2;\n",
    });
  });

  test.each([
    ["is taken where its block is closed", `${fence("diff", diff)}\nBecause the`, "patch"],
    ["is refused in a block without an end", `\`\`\`diff\n${diff}`, "none"],
    ["is refused where it is bare", diff, "none"],
    ["is refused as a file without an end", "```cpp src/b.cpp\nint b;\nint d;", "none"],
  ])("of an answer that was cut off %s", (_name, answer, status) => {
    expect(patchFromAnswer(answer, brief, true)).toMatchObject({ status });
    expect(patchFromAnswer(answer, brief)).toMatchObject({ status: "patch" });
  });

  test("that is wrong in itself is left to the grader to refuse", () => {
    expect(result(fence("diff", "@@ -1,2 +1,2 @@\n-int b;\n+int d;"))).toMatch(/^malformed: /);
  });
});

describe("a whole file", () => {
  test.each([
    ["in the words after the fence", fence("cpp src/a.cpp", changed)],
    ["alone after the fence", fence("src/a.cpp", changed)],
    ["after the fence with a colon", fence("cpp:src/a.cpp", changed)],
    ["as a title", fence('cpp title="src/a.cpp"', changed)],
    ["by its last part", fence("cpp a.cpp", changed)],
    ["in bold on the line before", `**src/a.cpp**\n\n${fence("cpp", changed)}`],
    ["in a heading", `### \`./src/a.cpp\`:\n${fence("cpp", changed)}`],
  ])("is told from its path %s", (_name, answer) => {
    expect(result(answer)).toEqual({ "src/a.cpp": `${changed}\n` });
  });

  test("needs no path where there is one source", () => {
    expect(result(fence("cpp", changed), alone)).toEqual({ "src/a.cpp": `${changed}\n` });
  });

  test("and another make one patch", () => {
    const both = `${fence("cpp src/a.cpp", changed)}\n${fence("cpp src/b.cpp", "int b;\nint only;")}`;
    expect(result(both)).toEqual({ "src/a.cpp": `${changed}\n`, "src/b.cpp": "int b;\nint only;\n" });
  });

  test.each([
    ["that no path is given for", fence("cpp", changed), /no block says which source it is/],
    [
      "that comes twice in two forms",
      `${fence("cpp src/a.cpp", changed)}\n${fence("cpp src/a.cpp", source.replace("line_1;", "x;"))}`,
      /two different blocks are for src\/a\.cpp/,
    ],
    [
      "that leaves lines out",
      fence("cpp src/a.cpp", `int mended;\n// ... the rest as before\n${changed}`),
      /leaves lines out/,
    ],
    ["that is only quoted from", fence("cpp src/a.cpp", "int line_0;\nint mended;"), /no block says/],
    ["that is as it was", fence("cpp src/a.cpp", source), /repeats the sources as they are/],
  ])("%s is no patch", (_name, answer, why) => {
    expect(result(answer)).toMatch(why);
  });
});

describe("search and replace blocks", () => {
  test.each([
    ["with the path on the line before", `src/b.cpp\n${edit("int c;", "int d;")}`],
    ["with the path before the fence", `src/b.cpp\n${fence("cpp", edit("int c;", "int d;"))}`],
    ["with the path inside the fence", fence("", `src/b.cpp\n${edit("int c;", "int d;")}`)],
  ])("%s are applied", (_name, answer) => {
    expect(result(answer)).toEqual({ "src/b.cpp": "int b;\nint d;\nint b2;\n" });
  });

  test("follow one another, in the same file until another is named", () => {
    const answer = `src/b.cpp\n${edit("int c;", "int d;")}\n${edit("int d;\nint b2;", "")}\nsrc/a.cpp\n${edit("int line_5;", "int mended;")}`;
    expect(result(answer)).toEqual({ "src/a.cpp": `${changed}\n`, "src/b.cpp": "int b;\n" });
  });

  test.each([
    [
      "text that is not there",
      `src/b.cpp\n${edit("int nothing;", "x")}`,
      /the searched text is not in src\/b\.cpp/,
    ],
    ["part of a line", `src/b.cpp\n${edit("int b", "x")}`, /the searched text is not in/],
    [
      "text that is there twice",
      `src/b.cpp\n${edit("int c;", "int b;")}\n${edit("int b;", "x")}`,
      /2 times in src\/b\.cpp/,
    ],
    ["no file", edit("int c;", "x"), /no source is named/],
    ["a file that is none", `src/z.cpp\n${edit("int c;", "x")}`, /no source is named/],
    ["no end", "src/b.cpp\n<<<<<<< SEARCH\nint c;\n=======\nx", /has no end/],
  ])("with %s are no patch", (_name, answer, why) => {
    expect(result(answer)).toMatch(why);
  });
});

test.each([
  ["nothing", "", /the answer is empty/],
  ["thoughts alone", "<think>hm</think>", /the answer is empty/],
  ["a refusal", "I can't do that.", /neither a diff nor a block of code/],
  ["commands", fence("sh", "rm -rf /\nmake"), /neither a diff nor a block of code/],
])("%s is no patch", (_name, answer, why) => {
  expect(result(answer)).toMatch(why);
});

test("no text makes the reader fail", () => {
  const piece = fc.constantFrom(
    "```",
    "```cpp src/a.cpp",
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "src/b.cpp",
    "int b;",
    "@@",
    "--- a/src/a.cpp",
    "",
    "...",
  );
  void fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (lines) => {
      expect(["patch", "none"]).toContain(patchFromAnswer(lines.join("\n"), brief).status);
    }),
  );
});

test.each([
  ["blanks", (n: number) => fence("cpp src/a.cpp", `${" ".repeat(n)}\nx\ny`)],
  ["dots", (n: number) => `${".".repeat(n)}\n${fence("cpp", "x\ny")}`],
  ["blocks", (n: number) => "```\na\nb\n```\n".repeat(n / 12)],
  ["search marks", (n: number) => "<<<<<<< SEARCH\n".repeat(n / 15)],
  ["edits", (n: number) => `src/b.cpp\n${edit("int c;", "int c;\n")}\n`.repeat(n / 60)],
  ["ends of thoughts", (n: number) => "</think>".repeat(n / 8)],
  ["open tags", (n: number) => `<think>${"<".repeat(n)}`],
])("a long answer of %s is read", (_name, of) => {
  expect(["patch", "none"]).toContain(patchFromAnswer(of(2 ** 21), brief).status);
});
