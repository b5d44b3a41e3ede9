/** Every patch of the corpus, honest or not, gets an answer that its folder or its `expect.json` names. */
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { corpus, limitsFor } from "../support/corpus.ts";
import { type Graded, gradeWithRecord } from "../support/graded.ts";
import { leftBehind } from "../support/left-behind.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("corpus");
const answers: string[] = [];

describe.each(corpus)("$name", (entry) => {
  const { name, patch, answers: acceptable, cause } = entry;
  let graded: Graded;

  beforeAll(async () => {
    const task = copyTask(entry.task, folder, limitsFor(entry));
    graded = await gradeWithRecord({ folder, task, patch });
    const { verdict, reason, layer } = graded.record;
    answers.push([name, verdict, reason ?? layer ?? "-"].join("\t"));
  });

  test(`answers ${acceptable.join(" or ")}`, () => {
    expect(acceptable, graded.run.stderr).toContain(graded.record.verdict);
  });

  if (cause !== undefined)
    test(`for a reason: ${cause}, unless refused before it ran`, () => {
      const { reason, layers } = graded.record;
      if (reason === "tampering") return;
      const causes = Object.values(layers).map((layer) =>
        layer?.status === "fail" ? layer.cause : undefined,
      );
      expect([reason, ...causes]).toContain(cause);
    });

  test("leaves no process and no file", async () => {
    expect(await leftBehind(graded.run)).toEqual({ processes: [], files: [] });
  });

  test("says in its folder what it is", () => {
    expect(readdirSync(dirname(patch))).toContain("README.md");
  });
});

test("every answer is the one given before", async () => {
  await expect(`${answers.join("\n")}\n`).toMatchFileSnapshot("corpus-answers.tsv");
});
