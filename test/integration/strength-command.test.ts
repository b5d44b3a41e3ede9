/** How `strength` behaves as a command: what it refuses, what it finds, and how it ends. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli, startCli } from "../support/cli.ts";
import { leftBehind } from "../support/left-behind.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("strength-command");
const weak = inRepository("test/fixtures/weak-oracle");

type Files = Readonly<Record<string, string>>;

/** A task about one function; `files` replace or add to it. */
function smallTask(files: Files, manifest: object = {}): string {
  const task = mkdtempSync(join(folder, "task-"));
  const all: Files = {
    "manifest.json": JSON.stringify({
      id: "small",
      sources: ["src/most.hpp", "src/most.cpp"],
      visible: "tests/visible.cpp",
      hidden: "oracles/hidden.cpp",
      cxxflags: ["-std=c++17"],
      reference: "fix.diff",
      ...manifest,
    }),
    "src/most.hpp": "#pragma once\nint most(int a, int b);\n",
    "src/most.cpp": '#include "most.hpp"\n\nint most(int a, int b) {\n    return a;\n}\n',
    "fix.diff":
      "--- a/src/most.cpp\n+++ b/src/most.cpp\n@@ -3,3 +3,3 @@\n int most(int a, int b) {\n-    return a;\n+    return a < b ? b : a;\n }\n",
    "tests/visible.cpp": '#include "most.hpp"\n#include <cassert>\nint main() { assert(most(1, 2) == 2); }\n',
    "oracles/hidden.cpp":
      '#include "most.hpp"\n#include <cassert>\nint main() { assert(most(1, 2) == 2 && most(7, 3) == 7 && most(-5, -5) == -5); }\n',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(task, path)), { recursive: true });
    writeFileSync(join(task, path), text);
  }
  return task;
}

const strength = (task: string, ...flags: readonly string[]) =>
  runCli(["strength", "--task", task, ...flags], { folder });

const scoreOf = (stdout: string) => JSON.parse(stdout).strength.score;

test("a task without a reference is refused, and the message says what to record", async () => {
  const run = await strength(copyTask(weak, folder, { reference: undefined, alternatives: undefined }));
  expect(run.code).toBe(65);
  expect(run.stdout).toBe("");
  expect(run.stderr).toMatch(/strength needs a reference · .*manifest\.json names none\nhint: record/);
});

test("a task whose reference fails is refused", async () => {
  const hidden = '#include "most.hpp"\n#include <cassert>\nint main() { assert(most(1, 2) == 3); }\n';
  const run = await strength(smallTask({ "oracles/hidden.cpp": hidden }));
  expect(run.code).toBe(65);
  expect(run.stderr).toContain("the reference");
});

test("an oracle that refuses a correct alternative over-specifies", async () => {
  const alternative =
    "--- a/src/most.cpp\n+++ b/src/most.cpp\n@@ -3,3 +3,3 @@\n int most(int a, int b) {\n-    return a;\n+    return b > a ? b : (a == b ? a : a);\n }\n";
  const hidden =
    '#include "most.hpp"\n#include <cassert>\nint main() { assert(most(1, 2) == 2 && most(7, 3) == 7); }\n';
  const wrong = alternative.replace("(a == b ? a : a)", "a + (a == 7)");
  const files = { "oracles/hidden.cpp": hidden, "good.diff": alternative, "odd.diff": wrong };
  const run = await strength(smallTask(files, { alternatives: ["good.diff", "odd.diff"] }));
  expect(run.code).toBe(6);
  expect(run.stdout).toContain("over-specifies: the alternative odd.diff gets OVERFIT (hidden: assertion)");
  expect(run.stdout).not.toContain("good.diff gets");
});

test("where no mutant passes the visible layer nothing was measured, and nothing reads as 100 %", async () => {
  const fix =
    "--- a/src/most.cpp\n+++ b/src/most.cpp\n@@ -3,3 +3,3 @@\n int most(int a, int b) {\n-    return a;\n+    return 100000;\n }\n";
  const test =
    '#include "most.hpp"\n#include <cassert>\nint main() { for (int i = -900; i < 900; ++i) assert(most(i, i) == 100000); }\n';
  const files = { "fix.diff": fix, "tests/visible.cpp": test, "oracles/hidden.cpp": test };
  const run = await strength(smallTask(files), "--limit", "6", "--json");
  const { score, findings } = JSON.parse(run.stdout).strength;
  expect(score).toMatchObject({ universe: 0, strength: null });
  expect(findings).toMatchObject([{ kind: "empty-universe" }]);
  expect(run.code).toBe(6);
});

test("headers alone are measured, and only what all flags compile to the reference's code is equivalent", async () => {
  const header =
    "#pragma once\ninline int most(int a, int b) {\n    return a;\n}\nstruct Most {\n    int least = 3;\n};\ninline int other(int a) {\n#ifdef HIDDEN\n    a += 5;\n#endif\n    return a;\n}\n";
  const fix =
    "--- a/src/most.hpp\n+++ b/src/most.hpp\n@@ -2,3 +2,3 @@\n inline int most(int a, int b) {\n-    return a;\n+    return a < b ? b : a;\n }\n";
  const hidden = { source: "oracles/hidden.cpp", cxxflags: ["-DHIDDEN"] };
  const task = smallTask({ "src/most.hpp": header, "fix.diff": fix }, { sources: ["src/most.hpp"], hidden });
  const run = await strength(task, "--json");
  expect(run.code).toBe(0);
  expect(scoreOf(run.stdout).killed).toBeGreaterThan(3);
  expect(scoreOf(run.stdout).equivalent).toBeGreaterThan(0);
  const { mutants } = JSON.parse(run.stdout).files["src/most.hpp"] as {
    mutants: { status: string; statusReason?: string; location: { start: { line: number } } }[];
  };
  for (const line of [6, 10]) {
    const here = mutants.filter(({ location }) => location.start.line === line);
    expect(here.some(({ status }) => status === "Survived")).toBe(true);
    expect(here.filter(({ statusReason }) => statusReason?.startsWith("equivalent"))).toEqual([]);
  }
});

test("a template is measured, and what no test instantiates is not taken for equivalent", async () => {
  const header =
    "#pragma once\ntemplate <class T> T most(T a, T b) {\n    return a;\n}\ntemplate <class T> T least(T a, T b) {\n    return a < b ? a : b;\n}\n";
  const fix =
    "--- a/src/most.hpp\n+++ b/src/most.hpp\n@@ -2,3 +2,3 @@\n template <class T> T most(T a, T b) {\n-    return a;\n+    return a < b ? b : a;\n }\n";
  const task = smallTask({ "src/most.hpp": header, "fix.diff": fix }, { sources: ["src/most.hpp"] });
  const run = await strength(task, "--json");
  const { score, notes } = JSON.parse(run.stdout).strength;
  expect(score.killed).toBeGreaterThan(0);
  expect(score.equivalent).toBe(0);
  expect(notes.join()).toMatch(/of \d+ mutants the code could not be compared/);
});

test("a target that runs in a process of its own is asked as well", async () => {
  const hidden = [{ source: "oracles/hidden.cpp", isolation: "process" }, "oracles/hidden.cpp"];
  const run = await strength(copyTask(weak, folder, { hidden }), "--json", "--limit", "14");
  expect(run.code).toBe(0);
  const { score } = JSON.parse(run.stdout).strength;
  expect(score).toMatchObject({ generated: 14, notCompiled: 0 });
  expect(score.killedByVisible + score.killed).toBeGreaterThan(2);
});

test("a target that draws its cases kills what all of its seeds kill", async () => {
  const hidden =
    '#include "most.hpp"\n#include <cassert>\n#include <cstdlib>\nint main() { const char* seed = std::getenv("HIDDEN_ORACLE_SEED"); int n = seed ? std::strtoul(seed, nullptr, 10) % 8 + 1 : 1; assert(n > 0 && most(n, 9) == 9 && most(17, n) == 17); }\n';
  const task = smallTask(
    { "oracles/hidden.cpp": hidden },
    { hidden: { source: "oracles/hidden.cpp", seed: true } },
  );
  const run = await strength(task, "--json");
  expect(run.code).toBe(0);
  expect(scoreOf(run.stdout).killed).toBeGreaterThan(0);
});

test("an endless mutant is stopped by CPU time and counts as killed", async () => {
  const source = '#include "most.hpp"\n\nint most(int a, int b) {\n    return a;\n}\n';
  const fix =
    "--- a/src/most.cpp\n+++ b/src/most.cpp\n@@ -3,3 +3,5 @@\n int most(int a, int b) {\n-    return a;\n+    unsigned n = 0;\n+    while (n < 40u) ++n;\n+    return a < b ? b : a;\n }\n";
  const run = await strength(smallTask({ "src/most.cpp": source, "fix.diff": fix }), "--json");
  const mutants = Object.values<{ mutants: { status: string }[] }>(JSON.parse(run.stdout).files).flatMap(
    (file) => file.mutants,
  );
  expect(mutants.some(({ status }) => status === "Timeout")).toBe(true);
});

test("flags that make no sense are a usage error", async () => {
  for (const flags of [
    ["--min", "101"],
    ["--min", "x"],
    ["--limit", "0"],
  ])
    expect((await strength(weak, ...flags)).code).toBe(64);
});

test("a page that can't be written is an error of the operator", async () => {
  const run = await strength(smallTask({}), "--html", join(folder, "no/such/folder/page.html"));
  expect(run.code).toBe(66);
  expect(run.stderr).toContain("cannot write the page");
});

test("an interruption ends it with 130, leaves nothing behind, and keeps what was judged", async () => {
  const own = temporaryFolder("strength-interrupted");
  const { child, ended } = startCli(["strength", "--task", weak], { folder: own });
  // The first line of progress says that something was judged.
  await new Promise((resolve) => child.stderr?.once("data", resolve));
  child.kill("SIGINT");
  const result = await ended;
  expect(result.code).toBe(130);
  expect(result.stdout).toBe("");
  expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
  const kept = readdirSync(join(own, "cache"), { recursive: true, encoding: "utf8" })
    .filter((name) => /record\/\w+\.json$/.test(name))
    .map((name) => readFileSync(join(own, "cache", name), "utf8"));
  expect(kept.some((text) => text.includes('"status":"killed"'))).toBe(true);
});
