import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyPatchText } from "../model/patch.ts";
import { makeDiff } from "./make-diff.ts";

const scope = { sources: ["src/*"], protect: [], mode: "reject" } as const;
const text = fc
  .array(fc.constantFrom("a", "b", "", " x", "-y", "+z", "@@"), { minLength: 1, maxLength: 12 })
  .map((lines) => `${lines.join("\n")}\n`);

test("applying the diff of two texts to the first gives the second", () => {
  void fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const result = applyPatchText(
        Buffer.from(makeDiff("src/a.cpp", before, after)),
        new Map([["src/a.cpp", before]]),
        scope,
      );
      expect(result).toMatchObject({ status: "applied" });
      expect(result.status === "applied" && result.tree.get("src/a.cpp")).toBe(after);
    }),
  );
});

test("line ends of the file are kept", () => {
  const before = "int a;\r\nint b;\r\nint c;\r\n";
  const diff = makeDiff("src/a.cpp", before, "int a;\nint x;\nint c;\n");
  const result = applyPatchText(Buffer.from(diff), new Map([["src/a.cpp", before]]), scope);
  expect(result.status === "applied" && result.tree.get("src/a.cpp")).toBe("int a;\r\nint x;\r\nint c;\r\n");
});

test("the same lines give no diff, and a new file is made", () => {
  expect(makeDiff("src/a.cpp", "a\r\nb\n", "a\nb")).toBe("");
  expect(makeDiff("src/n.cpp", null, "int n;\n")).toBe(
    "--- /dev/null\n+++ b/src/n.cpp\n@@ -0,0 +1,1 @@\n+int n;\n",
  );
});
