/** The fast pipeline and plain executables, built with the manifest's own flags, come to the same token. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { corpus } from "../support/corpus.ts";
import { examples } from "../support/examples.ts";
import { gradeWithRecord } from "../support/graded.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("reference-build");
const reports = inRepository("test/fixtures/reports/task");

/** Patches that need no defence to be judged: a plain build has none. */
const controls = corpus
  .filter(({ answers }) => !answers.includes("REJECTED"))
  .map(({ name, task, patch }) => ({ name, task, patch }));

/** Of the first shipped task one patch a token, of the others one: a plain build of their oracles takes seconds. */
const shipped = examples.flatMap(({ name, folder: task, manifest, patches }, i) => {
  const tokens = new Map([...patches].reverse().map((patch) => [manifest.calibration[patch], patch]));
  const chosen = [...tokens].filter(([token]) => i === 0 || token === "OVERFIT");
  return chosen.map(([, patch]) => ({ name: `${name}/${patch}`, task, patch: join(task, patch) }));
});

function recordedIn(task: string): { name: string; task: string; patch: string }[] {
  const patches = join(task, "patches");
  return readdirSync(patches)
    .sort()
    .map((file) => ({ name: file, task, patch: join(patches, file) }));
}

test.each([...controls, ...shipped, ...recordedIn(reports)])("$name", async ({ task, patch }) => {
  const fast = await gradeWithRecord({ folder, task, patch });
  const plain = await gradeWithRecord({ folder, task, patch, flags: ["--reference-build"] });
  expect(fast.record.verdict).toBe(plain.record.verdict);
});
