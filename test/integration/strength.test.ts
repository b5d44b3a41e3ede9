/** What `strength` says of oracles: a weak one of the usual kind, and the shipped one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { StrengthReport } from "../../src/model/strength.ts";
import { type CliResult, runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("strength");
const weak = inRepository("test/fixtures/weak-oracle");
const shipped = inRepository("examples/bounded-queue");
/** A whole analysis takes about a minute on two cores. */
const minutes = 600_000;

interface ShownMutant {
  readonly id: string;
  readonly mutatorName: string;
  readonly description: string;
  readonly status: string;
  readonly replacement: string;
  readonly location: { readonly start: { readonly line: number } };
}

interface Shown {
  readonly files: Readonly<Record<string, { readonly mutants: readonly ShownMutant[] }>>;
  readonly strength: Pick<StrengthReport, "score" | "horizons" | "soundness" | "findings" | "notes">;
}

function reportOf(run: CliResult): Shown {
  if (!run.stdout.startsWith("{")) expect.fail(`no report, exit ${run.code}\n${run.stderr}`);
  return JSON.parse(run.stdout) as Shown;
}

function survivorsOf({ files }: Shown): (ShownMutant & { readonly file: string })[] {
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(({ status }) => status === "Survived").map((mutant) => ({ ...mutant, file })),
  );
}

describe("a weak oracle of the usual kind", () => {
  let run: CliResult;
  let report: Shown;
  const page = join(folder, "page.html");
  beforeAll(async () => {
    run = await runCli(["strength", "--task", weak, "--json", "--html", page], { folder });
    report = reportOf(run);
  }, minutes);

  /** Whether a mutant lives whose description says all of this. */
  const lives = (...words: readonly (string | RegExp)[]) =>
    survivorsOf(report).some(({ file, mutatorName, description }) =>
      words.every((word) => new RegExp(word).test(`${file} ${mutatorName} ${description}`)),
    );

  test("is measured at well under 80 %, and that is no fault by itself", () => {
    expect(report.strength.score.strength).toBeLessThan(0.8);
    expect(report.strength.score.killed).toBeGreaterThan(20);
    expect(run.code).toBe(0);
  });

  test("lets pop on an empty queue live", () => {
    expect(lives("`pop` may give std::int32_t\\(0\\) where it gives `std::nullopt`")).toBe(true);
  });

  test("lets capacity() live", () => {
    expect(lives("`capacity` may give 0 where it gives `cap_`")).toBe(true);
  });

  test("lets indices of 16 and of 32 bits live", () => {
    expect(lives("narrow-member", "`tail_` of 16 bits is never told")).toBe(true);
    expect(lives("narrow-member", "`tail_` of 32 bits is never told")).toBe(true);
    expect(lives("narrow-member-pair", "`head_` and `tail_` alike.*32 bits")).toBe(true);
  });

  test("lets no index of 8 bits live, of which its long run needs more", () => {
    expect(lives("narrow-member", "`tail_` of 8 bits is never told")).toBe(false);
  });

  test("looks as far as its long run goes, and nowhere else", () => {
    const caught = Object.fromEntries(report.strength.horizons.map((h) => [h.quantity, h.caught]));
    expect(caught).toMatchObject({
      "calls of BoundedQueue::push on one object": 13,
      "calls of BoundedQueue::capacity on one object": null,
      "values of value in BoundedQueue::push": 13,
      "values of value in BoundedQueue::push below zero": null,
    });
  });

  test("counts equivalent and duplicate mutants out", () => {
    expect(report.strength.score.equivalent).toBeGreaterThan(5);
    expect(report.strength.score.duplicates).toBeGreaterThan(5);
    expect(lives("count_ == 0` may be `<=`")).toBe(false);
  });

  test("holds no word of the oracle in its reports", () => {
    for (const text of [run.stdout, readFileSync(page, "utf8")]) {
      expect(text).toContain("BoundedQueue");
      expect(text).not.toMatch(/turned_over|many_turns|10000/);
    }
  });

  test("is answered from what is known the second time, and fails under --min", async () => {
    const again = await runCli(["strength", "--task", weak, "--min", "80"], { folder });
    expect(again.code).toBe(6);
    expect(again.stdout).toContain("below-minimum: the strength is below 80 %");
    expect(again.stdout).toMatch(/survives include\/bounded_queue\.hpp:\d+ · narrow-member/);
    expect(again.stdout).toContain("+    std::uint16_t tail_ = 0;");
    expect(again.stdout).toMatch(/waive: \{"mutant":"[0-9a-f]{12}","category":"…"/);
    expect(again.stdout).toMatch(/strength .*% · the hidden layer kills \d+ of \d+/);
    // Nothing was judged: progress of judging is told every few seconds only.
    expect(again.stderr).toBe("");
  });

  test("takes a waived survivor out of the score, and names stale and needless waivers", async () => {
    const [first] = survivorsOf(report);
    const dead = Object.values(report.files)
      .flatMap(({ mutants }) => mutants)
      .find(({ status }) => status === "Killed");
    const waivers = [
      { mutant: first?.id, category: "out-of-contract", reason: "nobody calls it" },
      { mutant: dead?.id, category: "equivalent", reason: "it is not" },
      { mutant: "000000000000", category: "infeasible", reason: "gone" },
    ];
    const task = copyTask(weak, folder, { waivers });
    const waived = await runCli(["strength", "--task", task, "--json"], { folder });
    expect(waived.code).toBe(6);
    const { score, findings, notes } = reportOf(waived).strength;
    expect(score.waived).toBe(1);
    expect(score.universe).toBe(report.strength.score.universe - 1);
    expect(findings).toEqual([
      { kind: "stale-waiver", message: "waiver of 000000000000: there is no such mutant" },
    ]);
    expect(notes).toEqual([expect.stringContaining(`the waiver of ${dead?.id} is not needed`)]);
  });
});

describe("the shipped oracle", () => {
  test(
    "kills nearly all of the most telling mutants",
    async () => {
      const run = await runCli(["strength", "--task", shipped, "--json", "--limit", "150"], { folder });
      const { score, soundness } = reportOf(run).strength;
      expect(score.killed / (score.universe + score.waived)).toBeGreaterThan(0.8);
      expect(score.survived).toBe(0);
      expect(soundness.map(({ verdict }) => verdict)).toEqual(Array(5).fill("PASS"));
      expect(run.code).toBe(0);
    },
    minutes,
  );
});
