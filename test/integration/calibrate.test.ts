/** Calibration finds each way in which a task can't tell right from wrong, and certifies one that can. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask, type ManifestChanges } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("calibrate");
const example = inRepository("test/fixtures/reports/task");
const good = "patches/good.diff";
const overfit = "patches/overfit.diff";
const labels = { calibration: { [good]: "PASS", [overfit]: "OVERFIT" } };

interface Answer {
  readonly code: number | null;
  readonly findings: readonly { readonly kind: string; readonly about: string; readonly message: string }[];
}

/** A copy of a sound task with something broken in it, calibrated. */
async function calibrate(
  changes: ManifestChanges,
  files: Readonly<Record<string, string>> = {},
): Promise<Answer & { task: string }> {
  const task = copyTask(example, folder, { ...labels, ...changes });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(task, path), text);
  const { code, stdout } = await runCli(["calibrate", "--task", task, "--json", "--repeat", "2"], { folder });
  return { code, task, findings: stdout === "" ? [] : JSON.parse(stdout).findings };
}

const kinds = ({ findings }: Answer) => [...new Set(findings.map(({ kind }) => kind))];
const oracle = readFileSync(join(example, "oracles/hidden.cpp"), "utf8");
const visible = readFileSync(join(example, "tests/visible.cpp"), "utf8");

test("a sound task gets a certificate, and a grade then says nothing of calibration", async () => {
  const { code, findings, task } = await calibrate({});
  expect({ code, findings }).toEqual({ code: 0, findings: [] });
  const { stdout, stderr } = await runCli(["grade", join(task, good), "--task", task], { folder });
  expect([stdout, stderr]).toEqual(["PASS\n", ""]);
});

test("a grade says that the certificate is missing, and --require-calibrated refuses with 65", async () => {
  const task = copyTask(example, folder, labels);
  const patch = join(task, good);
  const noted = await runCli(["grade", patch, "--task", task], { folder });
  expect([noted.code, noted.stderr]).toEqual([
    0,
    expect.stringContaining("not calibrated · it has no certificate"),
  ]);
  const refused = await runCli(["grade", patch, "--task", task, "--require-calibrated"], { folder });
  expect([refused.code, refused.stdout]).toEqual([65, ""]);
  const batch = await runCli(["batch", patch, "--task", task, "--require-calibrated"], { folder });
  expect([batch.code, batch.stdout]).toEqual([65, ""]);
});

test.each([
  ["its oracle", "oracles/hidden.cpp", "the task has changed since"],
  ["a recorded patch", good, "a recorded patch has changed since"],
])("a certificate is stale once %s has changed", async (_what, file, why) => {
  const { code, task } = await calibrate({});
  expect(code).toBe(0);
  appendFileSync(join(task, file), "\n");
  const { stderr } = await runCli(["grade", join(task, overfit), "--task", task], { folder });
  expect(stderr).toContain(`its certificate is stale: ${why}`);
});

test.each([
  ["nonsense", "can't be read"],
  ["{}", "can't be read"],
])("a certificate that reads %s is stale, never trusted", async (text, why) => {
  const task = copyTask(example, folder, labels);
  writeFileSync(join(task, "manifest.certificate.json"), text);
  const { code, stderr } = await runCli(["grade", join(task, good), "--task", task, "--require-calibrated"], {
    folder,
  });
  expect([code, stderr]).toEqual([65, expect.stringContaining(why)]);
});

test("a certificate is taken away when a later calibration finds something", async () => {
  const { task } = await calibrate({});
  const file = join(task, "manifest.certificate.json");
  expect(existsSync(file)).toBe(true);
  writeFileSync(join(task, "oracles/hidden.cpp"), visible);
  const { code } = await runCli(["calibrate", "--task", task, "--repeat", "1"], { folder });
  expect([code, existsSync(file)]).toEqual([6, false]);
});

const chance =
  "int main() { timespec now; clock_gettime(CLOCK_MONOTONIC, &now); assert(now.tv_nsec / 1000 % 2 == 0);";
const unseen = '#include "bounded_queue.hpp"\n';
const impossible = `${unseen}#include <cassert>\nint main() { assert(BoundedQueue(8).size() == 1); }\n`;
const broken: [string, string, ManifestChanges, Record<string, string>][] = [
  [
    "a visible layer that is green without a patch",
    "baseline-green-visible",
    {},
    { "tests/visible.cpp": `${unseen}#include <cassert>\nint main() { assert(1); }\n` },
  ],
  [
    "an oracle that is green without a patch",
    "baseline-green-hidden",
    {},
    { "oracles/hidden.cpp": `${unseen}#include <cassert>\nint main() { assert(1); }\n` },
  ],
  [
    "an oracle that is weaker than the demo",
    "weak-oracle",
    {},
    { "oracles/hidden.cpp": `${unseen}#include <cassert>\nint main() { assert(1); }\n` },
  ],
  [
    "an oracle that sees no more than the demo",
    "no-overfitting-patch",
    {},
    { "oracles/hidden.cpp": visible },
  ],
  ["a label that differs", "other-verdict", { calibration: { [good]: "PASS", [overfit]: "FAIL_BOTH" } }, {}],
  [
    "no good patch",
    "no-passing-patch",
    { calibration: { [overfit]: "OVERFIT" }, reference: undefined, alternatives: undefined },
    {},
  ],
  ["no bad patch", "no-overfitting-patch", { calibration: { [good]: "PASS" } }, {}],
  ["NDEBUG among the flags", "assertions-off", { cxxflags: ["-std=c++17", "-DNDEBUG"] }, {}],
  ["NDEBUG in the oracle", "assertions-off", {}, { "oracles/hidden.cpp": `#define NDEBUG\n${oracle}` }],
  [
    "an undefined sanitizer without shifts",
    "silent-sanitizer",
    { cxxflags: ["-std=c++17", "-fsanitize=address,undefined", "-fno-sanitize=shift"] },
    {},
  ],
  [
    "an oracle that runs no check",
    "no-checks",
    {},
    { "oracles/hidden.cpp": `${unseen}int main() { BoundedQueue q(8); q.push(1); return 0; }\n` },
  ],
  [
    "a target that runs no check beside one that does",
    "no-checks",
    { hidden: ["oracles/hidden.cpp", "oracles/none.cpp"] },
    { "oracles/none.cpp": `${unseen}int main() { BoundedQueue q(8); q.push(1); return 0; }\n` },
  ],
  [
    "an oracle that depends on chance",
    "flaky",
    { hidden: { source: "oracles/hidden.cpp", repeat: 12 } },
    { "oracles/hidden.cpp": `#include <ctime>\n${oracle.replace("int main() {", chance)}` },
  ],
  ["an oracle that its own reference fails", "other-verdict", {}, { "oracles/hidden.cpp": impossible }],
];

test.each(broken)("%s is found: %s", async (_what, kind, changes, files) => {
  const answer = await calibrate(changes, files);
  expect([answer.code, kinds(answer)]).toEqual([6, expect.arrayContaining([kind])]);
  expect(existsSync(join(answer.task, "manifest.certificate.json"))).toBe(false);
});

test("a limit closer than five times the reference's need is found", async () => {
  const busy = `#include <ctime>\n${oracle.replace("int main() {", "int main() { while (clock() < CLOCKS_PER_SEC) { }")}`;
  expect(busy).toContain("CLOCKS_PER_SEC");
  const answer = await calibrate({ limits: { cpuSeconds: 4 } }, { "oracles/hidden.cpp": busy });
  expect([answer.code, kinds(answer)]).toEqual([6, ["tight-limit"]]);
});

test("a reference that fails the reserve layer is found", async () => {
  const reserve = "#include <cassert>\nint main() { assert(1 == 2); }\n";
  const task = copyTask(example, folder, { ...labels, reserve: "oracles/reserve.cpp", reference: good });
  writeFileSync(join(task, "oracles/reserve.cpp"), reserve);
  const { code, stdout } = await runCli(["calibrate", "--task", task, "--json"], { folder });
  expect([code, stdout]).toEqual([6, expect.stringContaining("reserve-fails")]);
});

test("what a calibration saw of a broken task is no verdict afterwards", async () => {
  const { code, task } = await calibrate({}, { "oracles/hidden.cpp": impossible });
  expect(code).toBe(6);
  const graded = await runCli(["grade", join(task, good), "--task", task], { folder });
  expect([graded.code, graded.stdout]).toEqual([65, ""]);
});

test("a task that fails by itself is 65", async () => {
  const task = copyTask(example, folder, labels);
  rmSync(join(task, "oracles/hidden.cpp"));
  const { code, stdout } = await runCli(["calibrate", "--task", task], { folder });
  expect([code, stdout]).toEqual([65, ""]);
});
