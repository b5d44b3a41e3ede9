/** The shipped tasks hold what they say: every recorded patch has a token, in manifest and README, and gets it. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { examples } from "../support/examples.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("examples");

/** Patch → token, as a table of the README has it: `name` or several, then the token. */
function tokensIn(readme: string): Map<string, string> {
  const rows = readme.matchAll(/^\| (`[^|]+`) \| `(\w+)` \|/gm);
  return new Map(
    [...rows].flatMap(([, names = "", token = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [`patches/${name}.diff`, token] as const),
    ),
  );
}

describe.each(examples)("$name", ({ name, folder: task, manifest, patches }) => {
  const expected = manifest.calibration ?? {};

  test("is named as its folder", () => {
    expect(manifest.id).toBe(name);
  });

  test("records what every patch must get", () => {
    expect(Object.keys(expected).sort()).toEqual(patches);
  });

  test("has a reference, three other designs, and two ways to overfit", () => {
    const count = (token: string) => Object.values(expected).filter((each) => each === token).length;
    expect(manifest.reference).toBeDefined();
    expect(manifest.alternatives?.length).toBeGreaterThanOrEqual(3);
    expect(count("OVERFIT")).toBeGreaterThanOrEqual(2);
    expect(count("FAIL_BOTH")).toBeGreaterThanOrEqual(2);
    expect(count("FAIL_VISIBLE")).toBe(0);
  });

  test("says in its README why each patch gets its token", () => {
    const readme = readFileSync(join(task, "README.md"), "utf8");
    expect(Object.fromEntries(tokensIn(readme))).toEqual(expected);
  });

  test("is red in both layers without a patch", async () => {
    const { code, stdout } = await runCli(["grade", "--baseline", "--task", task], { folder });
    expect([code, stdout]).toEqual([2, "FAIL_BOTH\n"]);
  });

  test("gives every recorded patch its token", async () => {
    const run = await runCli(["batch", join(task, "patches"), "--task", task, "--expect"], { folder });
    const records = run.stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    const verdicts = Object.values(expected).length;
    expect(records).toHaveLength(verdicts);
    expect(run.code, `${basename(task)}\n${run.stderr}`).toBe(0);
  });
});
