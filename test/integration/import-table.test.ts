/** The import table really refuses what it says it refuses. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hidden-oracle-imports-"));
  for (const name of ["node_modules", "package.json", "tsconfig.json"]) {
    symlinkSync(join(root, name), join(folder, name));
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The names of the rules that a small source tree breaks. */
function brokenRules(files: Record<string, string>): string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const config = join(root, ".dependency-cruiser.js");
  const argv = ["src", "--config", config, "--output-type", "json"];
  const run = spawnSync(join(root, "node_modules/.bin/depcruise"), argv, { cwd: folder, encoding: "utf8" });
  const report: { summary: { violations: { rule: { name: string } }[] } } = JSON.parse(run.stdout);
  return report.summary.violations.map((violation) => violation.rule.name);
}

test("an import that the table allows passes", () => {
  const files = {
    "src/grade/grade.ts": 'import { task } from "../task/task.ts";\nexport const grade = task;\n',
    "src/task/task.ts": "export const task = 1;\n",
  };
  expect(brokenRules(files)).toEqual([]);
});

test("the loop cannot see the grader, not even its types", () => {
  const files = {
    "src/loop/loop.ts":
      'import type { grade } from "../grade/grade.ts";\nexport type Judge = typeof grade;\n',
    "src/grade/grade.ts": "export const grade = 1;\n",
  };
  expect(brokenRules(files)).toEqual(["loop-imports"]);
});

test("the model cannot read files, and nothing but the sandbox spawns", () => {
  const files = {
    "src/model/task.ts": 'export { readFileSync } from "node:fs";\n',
    "src/task/lock.ts": 'export { spawn } from "node:child_process";\n',
    "src/sandbox/run.ts": 'export { spawn } from "node:child_process";\n',
  };
  expect(brokenRules(files).sort()).toEqual(["model-is-pure", "spawn-in-sandbox"]);
});

test("two files that import each other are found", () => {
  const files = {
    "src/model/a.ts": 'import { b } from "./b.ts";\nexport const a = (): unknown => b;\n',
    "src/model/b.ts": 'import { a } from "./a.ts";\nexport const b = (): unknown => a;\n',
  };
  expect(new Set(brokenRules(files))).toEqual(new Set(["no-cycles"]));
});
