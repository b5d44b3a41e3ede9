import { expect, test } from "vitest";
import { type Brief, briefMessages, promptDigest, standingInstructions } from "./brief.ts";

const brief: Brief = {
  task: "queue",
  prompt: "Mend the queue.\n",
  mayChange: ["src/*.cpp"],
  tests: [{ path: "tests/visible.cpp", text: "int main() {}\n" }],
  sources: [{ path: "src/a.cpp", text: "// ```cpp\r\nint a;\r\n" }],
};

test("the messages hold the instructions, then prompt, files, tests and sources", () => {
  expect(briefMessages(brief)).toEqual([
    { role: "system", content: standingInstructions },
    {
      role: "user",
      content: [
        "Mend the queue.",
        "## Files that may be changed",
        "- src/*.cpp",
        "## The shown tests",
        "tests/visible.cpp\n```cpp\nint main() {}\n```",
        "## The sources as they are",
        "src/a.cpp\n````cpp\n// ```cpp\nint a;\n````\n",
      ].join("\n\n"),
    },
  ]);
});

test("other instructions take the place of the standing ones, and change the digest", () => {
  const other = briefMessages(brief, "Be brief.");
  expect(other[0]).toEqual({ role: "system", content: "Be brief." });
  expect(promptDigest(other)).not.toBe(promptDigest(briefMessages(brief)));
  expect(promptDigest(briefMessages(brief))).toBe(promptDigest(briefMessages({ ...brief })));
});
