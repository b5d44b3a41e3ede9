/** Names of a patch that stand in the hidden tests alone: what an agent is told of them, and what the maintainer is. */
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GradeRecord } from "../../src/model/record.ts";
import { runCli } from "../support/cli.ts";
import { linesOf, loopStage, patches } from "../support/loop-stage.ts";

const { folder, taskWith } = loopStage("hidden-names");
const task = taskWith({ queryBudget: 20 });
appendFileSync(join(task, "oracles/hidden.cpp"), "[[maybe_unused]] static const int BRIM_OF_ALL = 1;\n");
const repair = readFileSync(join(patches, "modulo-64-bit.diff"), "utf8");

/** A change to the header that defines things, with a repair of the sources or without one. */
function patchOf(lines: readonly string[], isRepaired: boolean): string {
  const header = [
    "--- a/include/bounded_queue.hpp",
    "+++ b/include/bounded_queue.hpp",
    `@@ -5,2 +5,${lines.length + 2} @@`,
    " #include <optional>",
    " ",
    ...lines.map((line) => `+${line}`),
  ];
  return `${header.join("\n")}\n${isRepaired ? repair : ""}`;
}

const macros = (...names: string[]) => names.map((name) => `#define ${name} ${name}`);
const functions = (...names: string[]) => names.map((name) => `inline int ${name}(char*) { return 0; }`);
const nobodys = (like: string) => Array.from({ length: 30 }, (_, n) => `${like}${n}`);

/** Each with a name that the hidden tests use and the shown ones don't, and the same without. */
const pairs: [string, string[], string[]][] = [
  ["a macro", macros("Dice"), macros("Dicf")],
  ["a function", functions("every_phase"), functions("every_phrase")],
  ["a macro that tests need not be compiled with", macros("BRIM_OF_ALL"), macros("BRIM_OF_NONE")],
  ["a dictionary", macros(...nobodys("no"), "overfill"), macros(...nobodys("no"), "overfull")],
];

async function grade(patch: string, ...flags: string[]) {
  const argv = ["grade", "-", "--task", task, ...flags];
  const { code, stdout, stderr } = await runCli(argv, { folder, stdin: patch });
  return { code, stdout, stderr };
}
const recordOf = async (patch: string) => JSON.parse((await grade(patch, "--json")).stdout) as GradeRecord;
const forAgent = (patch: string) => grade(patch, "--audience", "agent");

/** The verdicts of a session of the tool server over patches, what it said, and the labels in the ledger. */
async function session(given: readonly string[]) {
  const clientInfo = { name: "test-client", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const calls = given.map((patch, n) => ({
    id: n + 2,
    method: "tools/call",
    params: { name: "grade_patch", arguments: { patch } },
  }));
  const sent = [{ id: 1, method: "initialize", params }, { method: "notifications/initialized" }, ...calls];
  const stdin = sent.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const state = mkdtempSync(join(folder, "state-"));
  const { stdout, stderr } = await runCli(["mcp", "--task", task], {
    folder,
    stdin,
    env: { HIDDEN_ORACLE_STATE: state },
  });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result: { structuredContent: Told } })
    .filter(({ id }) => id > 1)
    .sort((a, b) => a.id - b.id);
  expect(answers, stderr).toHaveLength(given.length);
  const told = answers.map(({ result }) => result.structuredContent);
  return { told, labels: linesOf(join(state, "ledger.jsonl")).map(({ label }) => label) };
}

interface Told {
  readonly verdict: string;
  readonly told: string;
  readonly labelsLeft: number;
}

describe.each(pairs)("%s named as something in the hidden tests alone", (_what, named, plain) => {
  test("is told like any other where the shown tests fail, graded anew or known, and the maintainer is told more", async () => {
    const [first, other] = [patchOf(named, false), patchOf(plain, false)];
    const said = await forAgent(first);
    expect(said).toMatchObject({ code: 2, stdout: "visible failed\n" });
    expect(await forAgent(other)).toEqual(said);
    expect(await forAgent(first)).toEqual(said);
    expect(await recordOf(first)).toMatchObject({
      verdict: "REJECTED",
      reason: "tampering",
      layers: { visible: { status: "fail", cause: "assertion" } },
      cached: true,
    });
    expect(await recordOf(other)).toMatchObject({ verdict: "FAIL_BOTH" });
  });

  test("is overfit where the shown tests pass, though the maintainer reads REJECTED and which name it was", async () => {
    const patch = patchOf(named, true);
    expect(await forAgent(patch)).toEqual({ code: 4, stdout: "overfit\n", stderr: "" });
    const { verdict, findings, layers, cached } = await recordOf(patch);
    expect({ verdict, cached, layers: Object.keys(layers) }).toEqual({
      verdict: "REJECTED",
      cached: true,
      layers: ["visible"],
    });
    expect(findings?.[0]?.message).toMatch(/^(Dice|every_phase|BRIM_OF_ALL|overfill): /);
    expect(await forAgent(patchOf(plain, true))).toMatchObject({ code: 0, stdout: "pass\n" });
  });
});

test("a member that hidden tests alone use, and that gives another type, is told as what the shown tests come to", async () => {
  const narrower = `--- a/include/bounded_queue.hpp
+++ b/include/bounded_queue.hpp
@@ -18,2 +18,2 @@
     std::size_t size() const;
-    std::size_t capacity() const { return cap_; }
+    int capacity() const { return static_cast<int>(cap_); }
`;
  expect(await forAgent(narrower)).toMatchObject({ code: 2, stdout: "visible failed\n" });
  expect(await forAgent(narrower + repair)).toEqual({ code: 4, stdout: "overfit\n", stderr: "" });
  expect(await recordOf(narrower + repair)).toMatchObject({
    verdict: "REJECTED",
    findings: [{ kind: "signature" }],
    layers: { visible: { status: "pass" } },
  });
});

test("every such answer is a label, and one that the shown tests alone forbid is none", async () => {
  const [, named = [], plain = []] = pairs[0] ?? [];
  const { told, labels } = await session([
    patchOf(named, false),
    patchOf(plain, false),
    patchOf(named, true),
    patchOf(macros("jobs"), true),
    patchOf(functions("reuse_after_drain"), true),
    patchOf([...macros("jobs"), ...named], true),
  ]);
  expect(told.map(({ verdict, labelsLeft }) => [verdict, labelsLeft])).toEqual([
    ["visible failed", 19],
    ["visible failed", 18],
    ["overfit", 17],
    ["rejected", 17],
    ["rejected", 17],
    ["rejected", 17],
  ]);
  const words = told.map(({ told: text }) => text.replace(/Answers left: \d+/, ""));
  expect(words[0]).toBe(words[1]);
  expect(words[5]).toBe(words[3]);
  expect(labels).toEqual(["visible failed", "visible failed", "overfit"]);
});
