import { expect, test } from "vitest";
import { gitDiffArgv } from "./git-range.ts";
import { shellLine } from "./plan.ts";

test("a word is quoted only where a shell would read it otherwise", () => {
  expect(shellLine(["/usr/bin/g++", "-DX=a b", "it's", "", "-Wl,-z,now"])).toBe(
    `/usr/bin/g++ '-DX=a b' 'it'\\''s' '' -Wl,-z,now`,
  );
});

test("a repository's settings can't change the form of a diff, and its end is told from the paths", () => {
  const argv = gitDiffArgv("/usr/bin/git", "main..HEAD");
  expect(argv).toContain("--no-ext-diff");
  expect(argv).toContain("--no-textconv");
  expect(argv.slice(-3)).toEqual(["main..HEAD", "--", "."]);
});
