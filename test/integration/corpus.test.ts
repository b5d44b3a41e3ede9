/** Every patch of the corpus, honest or not, gets an answer that its folder or its `expect.json` names. */
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { corpusTask, readCorpus } from "../support/corpus.ts";
import { type Graded, gradeWithRecord } from "../support/graded.ts";
import { leftBehind } from "../support/left-behind.ts";
import { copyTask, shortLimits, shortWait } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("corpus");
const corpus = readCorpus();
const answers: string[] = [];

/** Patches that never end by themselves are given less time, so that the suite ends soon. */
const limitsOf: Readonly<Record<string, object>> = {
  "endless-loop": shortLimits,
  "fork-bomb": shortLimits,
  "memory-bomb": { ...shortLimits, memoryMiB: 256 },
  "output-flood": shortLimits,
  sleeps: shortWait,
  "template-bomb": shortLimits,
};

function taskFor(name: string): string {
  const limits = limitsOf[basename(name)];
  return limits === undefined ? corpusTask : copyTask(corpusTask, folder, { limits });
}

describe.each(corpus)("$name", ({ name, patch, answers: acceptable, cause }) => {
  let graded: Graded;

  beforeAll(async () => {
    graded = await gradeWithRecord({ folder, task: taskFor(name), patch });
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
