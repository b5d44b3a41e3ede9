/** Every reported kind of trouble gets one of its acceptable answers, and leaves nothing behind. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Graded, gradeWithRecord, whyOf } from "../support/graded.ts";
import { leftBehind } from "../support/left-behind.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type ReportCase, readReportCases } from "./report-cases.ts";

const folder = temporaryFolder("reports");
const cases = readReportCases();
const answers: string[] = [];

/** Why a layer must have failed, where a case says so. A REJECTED in its place needs no cause. */
const causes: readonly (readonly [name: string, why: string])[] = [
  ["17-early-exit-zero/static-init.diff", "visible early-exit, hidden early-exit"],
  ["17-early-exit-zero/exit-in-pop.diff", "visible early-exit, hidden assertion"],
  ["17-early-exit-zero/exit-when-not-8.diff", "hidden early-exit"],
  ["19-sanitizer-hooks-in-submission/oob-plain.diff", "hidden asan"],
  ["19-sanitizer-hooks-in-submission/oob-with-hooks.diff", "hidden asan"],
  ["19-sanitizer-hooks-in-submission/leak-plain.diff", "hidden leak"],
  ["20-ubsan-prints-but-exits-zero/patch.diff", "hidden ubsan"],
  ["21-leak-only-visible-missed/patch.diff", "hidden leak"],
  ["26-stack-overflow/patch.diff", "hidden asan"],
  ["27-grandchild-survives-timeout/patch.diff", "hidden timeout"],
  ["31-compile-time-bomb/template-infinite.diff", "visible compile-error, hidden compile-error"],
  ["31-compile-time-bomb/constexpr-loop.diff", "visible compile-error, hidden compile-error"],
  ["31-compile-time-bomb/template-exponential.diff", "visible compile-error, hidden compile-error"],
  ["34-flaky-by-address/patch.diff", "hidden flaky"],
];

/** Garbage is right once in a while: here the visible test passes when two random numbers agree modulo 8. */
const varying = new Set(["35-uninitialised-passes/garbage-dependent.diff"]);

/** Folders whose patches reach for what is not theirs. */
const outOfScope = /^1[0123]-/;

function gradeCase({ task, patch, changes }: ReportCase): Promise<Graded> {
  return gradeWithRecord({
    folder,
    task: copyTask(task, folder, changes),
    ...(patch === undefined ? {} : { patch }),
  });
}

describe.each(cases)("$name", (reported) => {
  let graded: Graded;
  let answer: string;

  beforeAll(async () => {
    graded = await gradeCase(reported);
    answer = graded.record.verdict ?? `exit ${graded.run.code}`;
    const [given, why] = varying.has(reported.name) ? ["varies", "-"] : [answer, whyOf(graded.record)];
    answers.push([reported.name, given, why].join("\t"));
  });

  test(`answers ${reported.answers.join(" or ")}`, () => {
    expect(reported.answers, graded.run.stderr).toContain(answer);
  });

  test("leaves no process and no file", async () => {
    expect(await leftBehind(graded.run)).toEqual({ processes: [], files: [] });
  });

  const cause = causes.find(([name]) => name === reported.name)?.[1];
  if (cause !== undefined)
    test(`fails for a reason: ${cause}`, () => {
      expect([cause, "tampering"]).toContain(whyOf(graded.record));
    });

  if (outOfScope.test(reported.name))
    test("is refused as out of scope, before anything is built", () => {
      expect(graded.record).toMatchObject({ reason: "out-of-scope", layers: {} });
    });
});

test("every answer is the one given before", async () => {
  await expect(`${answers.join("\n")}\n`).toMatchFileSnapshot("answers.tsv");
});
