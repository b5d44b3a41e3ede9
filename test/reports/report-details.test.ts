/** What the reported cases ask for beyond a token: what the record says, and what it must not say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { type Graded, gradeWithRecord, whyOf } from "../support/graded.ts";
import { hygieneOff } from "../support/hygiene-off.ts";
import { leftBehind } from "../support/left-behind.ts";
import { copyTask, type ManifestChanges } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { casesOf, reportCase } from "./report-cases.ts";

const folder = temporaryFolder("report-details");

function gradeCase(name: string, changes: ManifestChanges = {}, flags: string[] = []): Promise<Graded> {
  const { task, patch = "", changes: usual } = reportCase(name);
  return gradeWithRecord({ folder, task: copyTask(task, folder, { ...usual, ...changes }), patch, flags });
}

describe("a patch with wrong line counts", () => {
  test("is recounted, and the record says so", async () => {
    const { record } = await gradeCase("01-hunk-counts-wrong/patch.diff");
    expect(record.notes.map((note) => `${note.kind}: ${note.message}`)).toMatchSnapshot();
  });
});

describe('a patch that names tests, where the manifest says "scope": "drop"', () => {
  test.each([
    ["10-touches-tests/good-plus-tests.diff", "PASS", "tests/visible.cpp"],
    ["10-touches-tests/overfit-plus-oracle.diff", "OVERFIT", "oracles/hidden.cpp"],
  ])("%s is %s by its other hunks, and the record names what was dropped", async (name, token, dropped) => {
    const { record } = await gradeCase(name, { scope: "drop" });
    expect([record.verdict, record.dropped.map(({ file }) => file)]).toEqual([token, [dropped]]);
  });
});

describe("a patch that adds a header", () => {
  test("is judged where the manifest's sources admit it by a pattern", async () => {
    const changes = { sources: ["include/*.hpp", "src/bounded_queue.cpp"] };
    const { record } = await gradeCase("13-create-delete-rename/new-header.diff", changes);
    expect(record.verdict).toBe("PASS");
  });

  test("is refused elsewhere, and the refusal names the file", async () => {
    const { record } = await gradeCase("13-create-delete-rename/new-source.diff");
    expect(record.message).toMatch(/src\/\w+\.cpp/);
  });
});

describe("a finding", () => {
  test("of UndefinedBehaviorSanitizer names the candidate's file and line", async () => {
    const { record } = await gradeCase("20-ubsan-prints-but-exits-zero/patch.diff");
    expect(record.layers.hidden?.findings?.[0]).toMatchObject({
      kind: "signed-integer-overflow",
      file: "src/bounded_queue.cpp",
      line: expect.any(Number),
    });
  });

  test("of a stack that overflowed is called so", async () => {
    const { record } = await gradeCase("26-stack-overflow/patch.diff");
    expect(record.layers.hidden?.findings?.map(({ kind }) => kind)).toEqual(["stack-overflow"]);
  });
});

describe("a leak", () => {
  test.each(["patch.diff", "drops-destructor.diff"])("in %s is found run after run", async (input) => {
    const answers = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const { record } = await gradeCase(`21-leak-only-visible-missed/${input}`, {}, ["--no-cache"]);
      answers.add(`${record.verdict} ${whyOf(record)}`);
    }
    expect([...answers]).toHaveLength(1);
  });
});

describe("a descendant of the candidate, where the task allows such calls", () => {
  test.each([
    ["patch.diff", "OVERFIT", "hidden timeout"],
    ["correct-but-leaves-daemon.diff", "PASS", "-"],
  ])("in %s does not outlive the run, nor is it waited for", async (input, token, why) => {
    const { run, record } = await gradeCase(`27-grandchild-survives-timeout/${input}`, hygieneOff);
    expect([record.verdict, whyOf(record)]).toEqual([token, why]);
    expect(await leftBehind(run)).toEqual({ processes: [], files: [] });
  });
});

describe("a limit on address space, imposed on the grader from outside", () => {
  test.each(["8", "64"])("of %s GiB is a fault of the machine, never a token", async (gib) => {
    const { task, patch = "" } = reportCase("23-rlimit-as-breaks-asan/patch.diff");
    const bytes = Number(gib) * 2 ** 30;
    const under = ["prlimit", `--as=${bytes}`];
    const run = await runCli(["grade", patch, "--task", task, "--no-cache"], { folder, under });
    expect({ code: run.code, stdout: run.stdout }, run.stderr).toEqual({
      code: expect.toSatisfy((code: number) => [69, 75].includes(code)),
      stdout: "",
    });
    expect(await leftBehind(run)).toEqual({ processes: [], files: [] });
  });
});

describe.each([
  ["a patch", {}],
  ["a patch, where the task allows what hygiene finds,", hygieneOff],
])("%s that reaches for a file of the machine or for the oracle", (_what, changes) => {
  test.each(casesOf("32-include-secret-or-oracle"))(
    "$name brings no line of it into any output",
    async (reported) => {
      const { run } = await gradeCase(reported.name, changes);
      const said = `${run.stdout}\n${run.stderr}`;
      expect(secretLines(reported.task).filter((line) => said.includes(line))).toEqual([]);
    },
  );
});

/** Lines that nobody may see; what the shown test has too is no secret. */
function secretLines(task: string): string[] {
  const shown = readFileSync(join(task, "tests/visible.cpp"), "utf8");
  const secret = ["/etc/passwd", "/etc/shadow", join(task, "oracles/hidden.cpp")];
  return secret
    .flatMap((path) => readableLines(path))
    .map((line) => line.trim())
    .filter((line) => line.length > 7 && !shown.includes(line));
}

function readableLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  }
}
