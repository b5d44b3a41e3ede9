/** Where a task allows all that hygiene finds, building, running and judging still see through the attacks. */
import { beforeAll, describe, expect, test } from "vitest";
import { corpus, limitsFor } from "../support/corpus.ts";
import { type Graded, gradeWithRecord } from "../support/graded.ts";
import { hygieneOff } from "../support/hygiene-off.ts";
import { leftBehind } from "../support/left-behind.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("second-line");

/** Nothing at run time tells these from honest code: the source alone shows them. */
const shownBySourceAlone = new Set(
  [
    "agreeable-fields",
    "agreeable-subscript",
    "agreeable-types",
    "alias-of-another-type",
    "assembly-behind-a-byte-order-mark",
    "comment-that-ends",
    "compares-by-an-alias",
    "counts-the-filters",
    "forges-the-record",
    "no-sanitize",
    "outbids-a-helper",
    "outbids-by-literals",
    "specialises-through-an-alias",
    "streaming-stores",
    "streams-write",
    "swab-copies",
    "wide-copies",
  ].map((name) => `REJECTED/${name}`),
);

const attacks = corpus.filter(
  ({ name, answers: [best] }) => best === "REJECTED" && !shownBySourceAlone.has(name),
);

describe.each(attacks)("$name", (entry) => {
  const { patch, cause } = entry;
  let graded: Graded;

  beforeAll(async () => {
    const task = copyTask(entry.task, folder, { ...hygieneOff, ...limitsFor(entry) });
    graded = await gradeWithRecord({ folder, task, patch });
  });

  test("does not pass", () => {
    const { verdict, reason } = graded.record;
    expect(["OVERFIT", "FAIL_BOTH", "REJECTED"]).toContain(verdict);
    expect(reason).not.toBe("tampering");
  });

  if (cause !== undefined && cause !== "tampering")
    test(`fails for a reason: ${cause}`, () => {
      const { reason, layers } = graded.record;
      const causes = Object.values(layers).map((layer) =>
        layer?.status === "fail" ? layer.cause : undefined,
      );
      expect([reason, ...causes]).toContain(cause);
    });

  test("leaves no process and no file", async () => {
    expect(await leftBehind(graded.run)).toEqual({ processes: [], files: [] });
  });
});
