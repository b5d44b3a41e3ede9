import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type MutantFate, type StrengthReport, scoreOf } from "../model/strength.ts";
import { strengthHtml } from "./strength-html.ts";
import { mutationReport } from "./strength-json.ts";

const require = createRequire(import.meta.url);
const schemaFile = require.resolve("mutation-testing-report-schema/mutation-testing-report-schema.json");
const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaFile, "utf8")));

const fates: MutantFate[] = [
  { status: "does-not-compile" },
  { status: "killed", by: "visible", cause: "assertion" },
  { status: "killed", by: "hidden", cause: "timeout" },
  { status: "survived" },
  { status: "equivalent" },
  { status: "duplicate", of: "m1" },
  { status: "waived", category: "infeasible", reason: "needs 8 GiB" },
];

const report: StrengthReport = {
  schemaVersion: 1,
  task: { id: "queue", digest: "d" },
  compiler: "g++",
  score: scoreOf(fates),
  mutants: fates.map((fate, i) => ({
    id: `m${i}`,
    file: "src/a.cpp",
    start: { line: 1, column: 5 },
    end: { line: 1, column: 5 },
    operator: "ROR",
    family: "field",
    replacement: "</script><script>alert(1)</script>",
    meaning: "a test \u00e2\u0080\u00a6",
    diff: "",
    fate,
  })),
  horizons: [],
  probes: 0,
  soundness: [],
  findings: [],
  notes: [],
  sources: { "src/a.cpp": "int a; // </script> <!-- \u00c3\u00a9" },
  durationMs: 1,
};

describe("the report that other tools read", () => {
  test("holds to mutation-testing-report-schema", () => {
    expect(schema.safeParse(mutationReport(report)).error).toBeUndefined();
    expect(schema.safeParse({ ...mutationReport(report), thresholds: {} }).success).toBe(false);
  });

  test("calls a killed mutant by its layer, and what doesn't count ignored, with the reason", () => {
    const { files } = mutationReport(report) as { files: Record<string, { mutants: object[] }> };
    expect(files["src/a.cpp"]?.mutants).toMatchObject([
      { status: "CompileError" },
      { status: "Killed", killedBy: ["visible"], statusReason: "assertion" },
      { status: "Timeout", killedBy: ["hidden"] },
      { status: "Survived" },
      { status: "Ignored", statusReason: "equivalent: compiles to the reference's own code" },
      { status: "Ignored", statusReason: "duplicate of m1" },
      { status: "Ignored", statusReason: "waived, infeasible: needs 8 GiB" },
    ]);
  });

  test("has the text that the bytes of a file mean", () => {
    const { files } = mutationReport(report) as { files: Record<string, { source: string }> };
    expect(files["src/a.cpp"]?.source).toContain("é");
  });
});

describe("the page", () => {
  const viewer = readFileSync(require.resolve("mutation-testing-elements/mutation-test-elements.js"), "utf8");
  const page = strengthHtml(report, viewer);

  test("ends its scripts where they end, whatever a source says", () => {
    expect(page.match(/<script/g)?.length).toBe(2 + (viewer.match(/<script/g)?.length ?? 0));
    expect(page.match(/<\/script/gi)?.length).toBe(2);
  });

  test("holds the very report", () => {
    const text = /\.report = (.*);<\/script>/.exec(page)?.[1] ?? "";
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(mutationReport(report))));
  });

  test("asks nothing of other places", () => {
    const own = page.replace(viewer, "");
    expect(own).not.toMatch(/(?:src|href)=/);
  });
});
