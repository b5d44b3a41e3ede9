import { expect, test } from "vitest";
import type { GradeRecord } from "../model/record.ts";
import { explain } from "./explain.ts";
import { paintWith } from "./paint.ts";

const measured = { durationMs: 1, cpuMs: 1 };
const record: GradeRecord = {
  schemaVersion: 1,
  id: "x",
  task: { id: "t", digest: "" },
  patch: { digest: "", files: [] },
  verdict: "OVERFIT",
  layer: "hidden",
  layers: {
    visible: { status: "pass", ...measured },
    hidden: { status: "fail", cause: "assertion", detail: "oracles/hidden.cpp:4: assert(x)", ...measured },
  },
  notes: [{ kind: "recount", message: "hunk counts were recounted", line: 3 }],
  dropped: [{ file: "README.md", message: "not among the sources" }],
  environment: {
    grader: "",
    compiler: "",
    cxxflags: {},
    harnessFlags: [],
    pipeline: "shared-objects",
    sandbox: { kind: "bubblewrap", limits: {} },
    seed: null,
    platform: "",
  },
  startedAt: "",
  durationMs: 1,
  cached: false,
};
const plain = paintWith(false);

test("a terminal gets the sentence, the cause, the notes and the dropped files", () => {
  expect(explain(record, plain, true).join("\n")).toMatchInlineSnapshot(`
    "OVERFIT: the shown tests pass and the hidden ones do not: the patch fits the examples, not the promise
      hidden: assertion · oracles/hidden.cpp:4: assert(x)
      note: hunk counts were recounted (line 3 of the patch)
      dropped: README.md · not among the sources"
  `);
});

test("elsewhere only the facts are told", () => {
  expect(explain(record, plain, false)[0]).toBe("hidden: assertion · oracles/hidden.cpp:4: assert(x)");
});

test("a clean PASS is silent but on a terminal, where it promises no more than it knows", () => {
  const clean: GradeRecord = { ...record, verdict: "PASS", layers: {}, notes: [], dropped: [] };
  expect(explain(clean, plain, false)).toEqual([]);
  expect(explain(clean, plain, true)).toEqual([
    "PASS: a candidate for human review; it says only that the hidden cases that exist did not fail",
  ]);
});

test("a rejection names its reason and its findings", () => {
  const findings = [{ kind: "a" }, { kind: "path-escape", message: "`..` in the path", file: "../x" }];
  const rejected: GradeRecord = {
    ...record,
    verdict: "REJECTED",
    reason: "out-of-scope",
    message: "tests/visible.cpp: not among the sources, and 1 more",
    findings,
    layers: {},
    notes: [],
    dropped: [],
  };
  expect(explain(rejected, plain, false)).toEqual([
    "out-of-scope: tests/visible.cpp: not among the sources, and 1 more",
    "also `..` in the path (../x)",
  ]);
});

test("tampering comes with the entry that would allow it", () => {
  const findings = [
    { kind: "symbol-use", message: "getenv: no name that computing needs", file: "a.cpp", line: 3 },
  ];
  const { layers: _layers, ...rest } = record;
  const refused: GradeRecord = {
    ...rest,
    verdict: "REJECTED",
    reason: "tampering",
    layers: {},
    findings,
    message: "m",
  };
  expect(explain(refused, plain, false)).toContain(
    'hint: a task that needs this may list "symbol-use:getenv" in the manifest\'s "allow"',
  );
});
