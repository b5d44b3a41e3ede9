/** When a test's object may be used again, and when it is compiled anew. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { gradeWithRecord } from "../support/graded.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("test-objects");

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** A task whose header includes another by way of the folder above. */
function makeTask(name: string, changes: Readonly<Record<string, unknown>> = {}): string {
  const task = join(folder, name);
  const answer = (want: string) =>
    `#include "deep/front.hpp"\n#include <cassert>\nint main() { assert(answer() == ${want}); }\n`;
  write(task, {
    "prompt.md": "Answer 42.\n",
    "include/deep/front.hpp":
      '#pragma once\n#include "../back.hpp"\ninline int answer() { return back(); }\n',
    "include/back.hpp": "#pragma once\ninline int back() { return 41; }\n",
    "tests/visible.cpp": answer("answer()"),
    "tests/more.cpp": '#include "deep/front.hpp"\nint more() { return answer(); }\n',
    "oracles/hidden.cpp": answer("42"),
    "manifest.json": JSON.stringify({
      id: "answers",
      prompt: "prompt.md",
      sources: ["include/deep/front.hpp", "include/back.hpp"],
      include: ["include"],
      visible: { sources: ["tests/visible.cpp", "tests/more.cpp"] },
      hidden: "oracles/hidden.cpp",
      cxxflags: ["-std=c++17"],
      ...changes,
    }),
  });
  for (const value of [40, 42])
    write(task, {
      [`${value}.diff`]: `--- a/include/back.hpp\n+++ b/include/back.hpp\n@@ -1,2 +1,2 @@\n #pragma once\n-inline int back() { return 41; }\n+inline int back() { return ${value}; }\n`,
    });
  return task;
}

test("a header that is reached by way of the folder above it is compiled anew when it changes", async () => {
  const task = makeTask("above");
  const verdicts: unknown[] = [];
  for (const patch of ["40.diff", "42.diff"])
    verdicts.push((await gradeWithRecord({ folder, task, patch: join(task, patch) })).record.verdict);
  expect(verdicts).toEqual(["OVERFIT", "PASS"]);
});
