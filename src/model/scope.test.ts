import { describe, expect, test } from "vitest";
import { applyPatchText, type PatchResult, type PatchScope } from "./patch.ts";

const tree = new Map([
  ["src/queue.cpp", "a\n"],
  ["src/main.cpp", "a\n"],
  ["include/queue.hpp", "a\n"],
  ["lib/ä b.cpp", "a\n"],
  ["b/x.cpp", "a\n"],
]);
const scope: PatchScope = {
  sources: ["src/*.cpp", "./include/queue.hpp", "lib/**", "b/x.cpp", "include/gone.hpp"],
  protect: ["**/main.cpp", "tests/**"],
  mode: "reject",
};
const change = "@@ -1 +1 @@\n-a\n+b\n";
const addition = "@@ -0,0 +1 @@\n+a\n";
const good = `--- a/src/queue.cpp\n+++ b/src/queue.cpp\n${change}`;

const run = (text: string, mode: PatchScope["mode"] = "reject"): PatchResult =>
  applyPatchText(Buffer.from(text), tree, { ...scope, mode });
const edit = (from: string, to = from) => `--- ${from}\n+++ ${to}\n${change}`;
const create = (path: string) => `--- /dev/null\n+++ ${path}\n${addition}`;
const filesOf = (text: string) => run(text).files;
const reasonOf = (text: string, mode?: PatchScope["mode"]) => {
  const result = run(text, mode);
  return result.status === "rejected" ? result.reason : result.status;
};
const kindOf = (text: string, mode?: PatchScope["mode"]) => {
  const result = run(text, mode);
  return result.status === "rejected" ? `${result.reason} ${result.findings[0]?.kind}` : result.status;
};

describe("spellings of a source", () => {
  test.each<[string, string, string]>([
    ["a/src/queue.cpp", "b/src/queue.cpp", "src/queue.cpp"],
    ["src/queue.cpp", "src/queue.cpp", "src/queue.cpp"],
    ["c/src/queue.cpp", "w/src/queue.cpp", "src/queue.cpp"],
    ["./src/queue.cpp", "./src/queue.cpp", "src/queue.cpp"],
    ["a/./src/queue.cpp", "b/./src/queue.cpp", "src/queue.cpp"],
    ['"a/lib/\\303\\244 b.cpp"', '"b/lib/\\303\\244 b.cpp"', "lib/ä b.cpp"],
    ["a/lib/ä b.cpp\t", "b/lib/ä b.cpp\t", "lib/ä b.cpp"],
    ["b/x.cpp", "b/x.cpp", "b/x.cpp"],
    ["a/b/x.cpp", "b/b/x.cpp", "b/x.cpp"],
  ])("%s and %s are read", (from, to, path) => {
    expect(filesOf(edit(from, to))).toEqual([path]);
    expect(run(edit(from, to)).status).toBe("applied");
  });

  test("git's own line may quote, and may hold spaces", () => {
    expect(
      filesOf(`diff --git a/lib/ä b.cpp b/lib/ä b.cpp\n${edit("a/lib/ä b.cpp", "b/lib/ä b.cpp")}`),
    ).toEqual(["lib/ä b.cpp"]);
    const quoted = '"a/lib/\\303\\244 b.cpp" "b/lib/\\303\\244 b.cpp"';
    expect(reasonOf(`diff --git ${quoted}\n${edit("a/lib/ä b.cpp", "b/lib/ä b.cpp")}`)).toBe("applied");
  });
});

describe("a path that escapes is refused in every mode", () => {
  const escapes = [
    "/tmp/x",
    "/src/queue.cpp",
    "a//etc/passwd",
    "../x",
    "a/../../x",
    "src/../src/queue.cpp",
    "a/src/../oracles/h.cpp",
    "a/.git/hooks/x",
    "b/.GIT/config",
    "src/.git./x",
    "GIT~1/x",
    "src\\queue.cpp",
    "C:/x.cpp",
    "a/c:/x.cpp",
    '"a/src/x\\ny.cpp"',
    '"a/src/\\033x.cpp"',
    '"a/src/\\377.cpp"',
    "a/src/queue\u202e.cpp",
    "a//src/queue.cpp",
    '""',
    "src/./queue.cpp",
    `src/${"x".repeat(2000)}.cpp`,
    "src/",
    '"src/..\\\\x.cpp"',
  ];
  test.each(escapes)("%j", (path) => {
    for (const text of [
      edit(path),
      create(path),
      good + create(path),
      `diff --git ${path} ${path}\nnew file mode 100644\n`,
    ]) {
      expect(kindOf(text), text).toBe("out-of-scope path-escape");
      expect(kindOf(text, "drop"), text).toBe("out-of-scope path-escape");
    }
  });

  test("wherever a header names it", () => {
    const outside = "../../x";
    for (const text of [
      `diff --git a/${outside} b/src/queue.cpp\n${good}`,
      `Index: ${outside}\n=====================\n${good}`,
      `diff --git a/src/queue.cpp b/src/queue.cpp\nrename from ${outside}\nrename to src/queue.cpp\n`,
      `diff --git a/src/queue.cpp b/src/queue.cpp\ncopy from src/queue.cpp\ncopy to ${outside}\n`,
      `diff --git a/${outside} b/${outside}\nGIT binary patch\nliteral 1\nIcmV\n`,
      `Binary files a/${outside} and b/${outside} differ\n`,
      `--- ${outside}\n${change}`,
    ]) {
      expect(kindOf(text, "drop"), text).toBe("out-of-scope path-escape");
    }
  });
});

describe("what is refused though its path is fine", () => {
  const git = "diff --git a/src/queue.cpp b/src/queue.cpp\n";
  test.each<[string, string, string]>([
    [
      "a symbolic link",
      `diff --git a/src/l.cpp b/src/l.cpp\nnew file mode 120000\n${create("b/src/l.cpp")}`,
      "symlink",
    ],
    ["a source turned into a link", `${git}old mode 100644\nnew mode 120000\n`, "symlink"],
    ["a link edited", `${git}index 1..2 120000\n${good}`, "symlink"],
    ["a submodule", "diff --git a/lib/m b/lib/m\nnew file mode 160000\n", "submodule"],
    ["a mode", `${git}old mode 100644\nnew mode 100755\n`, "mode-change"],
    [
      "an executable",
      `diff --git a/src/n.cpp b/src/n.cpp\nnew file mode 100755\n${create("b/src/n.cpp")}`,
      "mode-change",
    ],
    [
      "a rename",
      "diff --git a/src/queue.cpp b/src/n.cpp\nrename from src/queue.cpp\nrename to src/n.cpp\n",
      "rename",
    ],
    [
      "a copy",
      "diff --git a/src/queue.cpp b/src/n.cpp\ncopy from src/queue.cpp\ncopy to src/n.cpp\n",
      "rename",
    ],
    ["two different names", edit("a/src/queue.cpp", "b/src/other.cpp"), "rename"],
    ["a deletion", "--- a/src/queue.cpp\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "deletion"],
    ["a protected source", edit("a/src/main.cpp", "b/src/main.cpp"), "protected"],
    ["a protected test", edit("a/tests/visible.cpp"), "protected"],
    ["a protected test in capitals", create("b/TESTS/visible.cpp"), "protected"],
    ["a literal that is not there", create("b/include/gone.hpp"), "new-file"],
    ["a new name that differs in case only", create("b/src/Queue.cpp"), "new-file"],
  ])("%s", (_, text, kind) => {
    expect(kindOf(text)).toBe(`out-of-scope ${kind}`);
    expect(kindOf(text, "drop")).toBe(`out-of-scope ${kind}`);
    expect(kindOf(good + text)).toBe(`out-of-scope ${kind}`);
  });
});

describe("a file that is no source", () => {
  const elsewhere = [
    edit("a/README.md"),
    edit("a/SRC/queue.cpp"),
    create("b/include/new.hpp"),
    edit("a/src/deep/x.cpp"),
    "--- a/README.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    create("b/src/.hidden.cpp"),
    "diff --git a/r.sh b/r.sh\nold mode 100644\nnew mode 100755\n",
  ];
  test.each(elsewhere)("is out of scope, or dropped on demand: %j", (text) => {
    expect(reasonOf(text)).toBe("out-of-scope");
    expect(reasonOf(text, "drop")).toBe("no-change");
    expect(run(good + text, "drop")).toMatchObject({
      status: "applied",
      files: ["src/queue.cpp"],
      dropped: [{}],
    });
  });

  test("is named", () => {
    expect(run(edit("a/README.md"))).toMatchObject({
      message: "README.md: not among the sources that a patch may change (line 1 of the patch)",
      findings: [{ kind: "not-a-source", file: "README.md" }],
      files: ["README.md"],
    });
  });
});

describe("a new file", () => {
  test("is made where a glob admits it", () => {
    expect(run(create("b/src/new.cpp"))).toMatchObject({ status: "applied", files: ["src/new.cpp"] });
    expect(run(create("src/new.cpp"))).toMatchObject({ status: "applied", files: ["src/new.cpp"] });
    expect(run("diff --git a/lib/e b/lib/e\nnew file mode 100644\nindex 0000000..e69de29\n").files).toEqual([
      "lib/e",
    ]);
  });

  test("is also one that the patch forgot to call new", () => {
    expect(run(`--- a/src/new.cpp\n+++ b/src/new.cpp\n${addition}`)).toMatchObject({
      files: ["src/new.cpp"],
    });
  });

  test("may have lost the + of its empty lines", () => {
    const result = run("--- /dev/null\n+++ b/src/new.cpp\n@@ -0,0 +1,3 @@\n+a\n\n+b\n");
    expect(result.status === "applied" && result.tree.get("src/new.cpp")).toBe("a\n\nb\n");
  });

  test("never replaces one that is there, nor a folder, nor stands under a file", () => {
    expect(reasonOf(create("b/src/queue.cpp"))).toBe("does-not-apply");
    expect(reasonOf(create("b/include/queue.hpp"))).toBe("does-not-apply");
    expect(reasonOf(create("b/lib/ä b.cpp/x"))).toBe("does-not-apply");
    expect(reasonOf(create("b/lib/x") + create("b/lib/x/y"))).toBe("does-not-apply");
  });

  test("can't be changed before it is there", () => {
    expect(reasonOf(edit("a/src/new.cpp"))).toBe("does-not-apply");
    expect(reasonOf(create("b/src/new.cpp") + edit("a/src/new.cpp"))).toBe("applied");
  });
});
