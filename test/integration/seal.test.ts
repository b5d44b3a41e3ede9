/** A sealed oracle is graded like an open one, and neither its text nor what is built from it reaches a disk. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { withSealLock } from "../../src/task/seal.ts";
import { type CliResult, runCli, startCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("seal");
const example = inRepository("examples/bounded-queue");
const key = join(folder, "oracle.key");
let task: string;
let cleartext: string;

const seal = (where: string, ...flags: string[]) => runCli(["seal", "--task", where, ...flags], { folder });
const withKey = { HIDDEN_ORACLE_IDENTITY_FILE: key };
const grade = (where: string, patch: string, env: Record<string, string> = withKey): Promise<CliResult> =>
  runCli(["grade", join(example, "patches", patch), "--task", where], { folder, env });

beforeAll(async () => {
  cleartext = readFileSync(join(example, "oracles/hidden.cpp"), "utf8");
  task = copyTask(example, folder);
  const { code, stdout } = await seal(task, "--new-identity", key);
  expect([code, stdout]).toEqual([0, "oracles/hidden.cpp.age\n"]);
});

test("sealing takes the readable file away and leaves a key that only its owner reads", () => {
  expect(existsSync(join(task, "oracles/hidden.cpp"))).toBe(false);
  expect(readFileSync(join(task, "oracles/hidden.cpp.age"), "utf8")).toMatch(
    /^-----BEGIN AGE ENCRYPTED FILE-----/,
  );
  expect(statSync(key).mode & 0o777).toBe(0o600);
});

test.each([
  ["modulo-64-bit.diff", "PASS", 0],
  ["keeps-power-of-two-mask.diff", "OVERFIT", 4],
  ["rewinds-head-to-capacity.diff", "FAIL_BOTH", 2],
])("%s under the sealed oracle is %s", async (patch, token, exit) => {
  const { code, stdout } = await grade(task, patch);
  expect([code, stdout]).toEqual([exit, `${token}\n`]);
});

test("the identity itself in the environment, and --identity, open it as well", async () => {
  const identity = readFileSync(key, "utf8");
  const byText = await grade(task, "modulo-64-bit.diff", { HIDDEN_ORACLE_IDENTITY: identity });
  expect(byText.stdout).toBe("PASS\n");
  const patch = join(example, "patches/modulo-64-bit.diff");
  const byFlag = await runCli(["grade", patch, "--task", task, "--identity", key], { folder });
  expect(byFlag.stdout).toBe("PASS\n");
});

test("no key is 66, a wrong key 65, a damaged file 65, nonsense for a key 66; never a token, never the key", async () => {
  const missing = await grade(task, "modulo-64-bit.diff", {});
  expect([missing.code, missing.stdout]).toEqual([66, ""]);
  const other = join(folder, "other.key");
  await seal(copyTask(example, folder), "--new-identity", other);
  const wrong = await grade(task, "modulo-64-bit.diff", { HIDDEN_ORACLE_IDENTITY_FILE: other });
  expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
    65,
    "",
    expect.stringContaining("does not open"),
  ]);
  const absent = await grade(task, "modulo-64-bit.diff", { HIDDEN_ORACLE_IDENTITY_FILE: `${key}.none` });
  expect([absent.code, absent.stdout]).toEqual([66, ""]);
  const secret = `AGE-SECRET-KEY-1${"Q".repeat(40)}`;
  const nonsense = await grade(task, "modulo-64-bit.diff", { HIDDEN_ORACLE_IDENTITY: secret });
  expect([nonsense.code, nonsense.stdout]).toEqual([66, ""]);
  expect(nonsense.stderr).not.toContain("QQQQ");
  const damaged = copyTask(task, folder);
  const file = join(damaged, "oracles/hidden.cpp.age");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(
      /\n(.{10})(.)/,
      (_all, head, c) => `\n${head}${c === "A" ? "B" : "A"}`,
    ),
  );
  const spoiled = await grade(damaged, "modulo-64-bit.diff");
  expect([spoiled.code, spoiled.stdout]).toEqual([65, ""]);
});

test("a file that is sealed and readable at once is 65", async () => {
  const both = copyTask(task, folder);
  writeFileSync(join(both, "oracles/hidden.cpp"), cleartext);
  const { code, stdout, stderr } = await grade(both, "modulo-64-bit.diff");
  expect([code, stdout, stderr]).toEqual([65, "", expect.stringContaining("sealed and readable at once")]);
});

test("while and after a grade, no file on a disk holds the oracle's text or its objects", async () => {
  const own = temporaryFolderBelow("quiet");
  const patch = join(example, "patches/modulo-64-bit.diff");
  const running = startCli(["grade", patch, "--task", task], { folder: own, env: withKey });
  let ended = false;
  const end = running.ended.then((result) => {
    ended = true;
    return result;
  });
  // A string literal and a name of the oracle's own would be in its objects, debug information and all.
  const telling = distinctive(cleartext);
  while (!ended) {
    expect(filesWith(own, telling)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  expect((await end).stdout).toBe("PASS\n");
  expect(filesWith(own, telling)).toEqual([]);
  expect(
    readdirSync(join(own, "cache")).flatMap((version) => readdirSync(join(own, "cache", version, "test"))),
  ).toEqual([]);
  expect(
    readdirSync("/dev/shm").filter((name) => name.startsWith(`hidden-oracle-${running.child.pid}-`)),
  ).toEqual([]);
});

test("unseal puts the very bytes back", async () => {
  const copy = copyTask(task, folder);
  const { code } = await runCli(["unseal", "--task", copy, "--identity", key], { folder });
  expect(code).toBe(0);
  expect(readFileSync(join(copy, "oracles/hidden.cpp"), "utf8")).toBe(cleartext);
  expect(existsSync(join(copy, "oracles/hidden.cpp.age"))).toBe(false);
  expect(existsSync(join(copy, "manifest.seal.json"))).toBe(false);
  const graded = await grade(copy, "modulo-64-bit.diff", {});
  expect(graded.stdout).toBe("PASS\n");
});

test("--answers seals the recorded patches too, and a calibration still reads them", async () => {
  const copy = copyTask(inRepository("test/fixtures/reports/task"), folder);
  const sealed = await seal(copy, "--new-identity", join(folder, "answers.key"), "--answers");
  expect(sealed.stdout).toContain("patches/good.diff.age\n");
  expect(existsSync(join(copy, "patches/good.diff"))).toBe(false);
  const env = { HIDDEN_ORACLE_IDENTITY_FILE: join(folder, "answers.key") };
  const { code } = await runCli(["calibrate", "--task", copy, "--repeat", "1"], { folder, env });
  expect(code).toBe(0);
});

test("a link in place of the oracle is refused: the file behind it would stay readable", async () => {
  const copy = copyTask(example, folder);
  renameSync(join(copy, "oracles/hidden.cpp"), join(copy, "oracles/real.cpp"));
  symlinkSync("real.cpp", join(copy, "oracles/hidden.cpp"));
  const { code, stdout } = await seal(copy, "--new-identity", join(folder, "link.key"));
  expect([code, stdout]).toEqual([65, ""]);
  expect(lstatSync(join(copy, "oracles/hidden.cpp")).isSymbolicLink()).toBe(true);
});

test("a key is not written into the task folder", async () => {
  const copy = copyTask(example, folder);
  const { code } = await seal(copy, "--new-identity", join(copy, "oracles/key"));
  expect([code, existsSync(join(copy, "oracles/key"))]).toEqual([64, false]);
});

test("of two seals at once one waits to be told, and the other's key opens everything", async () => {
  const copy = copyTask(example, folder);
  const [one, other] = [join(folder, "one.key"), join(folder, "other2.key")];
  const both = await Promise.all([seal(copy, "--new-identity", one), seal(copy, "--new-identity", other)]);
  const codes = both.map(({ code }) => code);
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  const right = codes[0] === 0 ? one : other;
  const opened = await runCli(["unseal", "--task", copy, "--identity", right], { folder });
  expect(opened.code).toBe(0);
  expect(readFileSync(join(copy, "oracles/hidden.cpp"), "utf8")).toBe(cleartext);
});

test("while somebody else seals or unseals a task it is left alone, with 75", async () => {
  const copy = copyTask(example, folder);
  const file = join(folder, "third.key");
  const { code, stdout } = await withSealLock(join(copy, "manifest.json"), () =>
    seal(copy, "--new-identity", file),
  );
  expect([code, stdout, existsSync(file)]).toEqual([75, "", false]);
  expect(readFileSync(join(copy, "oracles/hidden.cpp"), "utf8")).toBe(cleartext);
});

test("unseal undoes what an interrupted seal left, and refuses where the two forms differ", async () => {
  const half = copyTask(task, folder);
  writeFileSync(join(half, "oracles/hidden.cpp"), cleartext);
  const undone = await runCli(["unseal", "--task", half, "--identity", key], { folder });
  expect([undone.code, existsSync(join(half, "manifest.seal.json"))]).toEqual([0, false]);
  const other = copyTask(task, folder);
  writeFileSync(join(other, "oracles/hidden.cpp"), `${cleartext}// later\n`);
  const refused = await runCli(["unseal", "--task", other, "--identity", key], { folder });
  expect([refused.code, existsSync(join(other, "oracles/hidden.cpp.age"))]).toEqual([65, true]);
});

test("sealing for nobody, for a nonsense recipient, twice, and --keep are refused", async () => {
  const copy = copyTask(example, folder);
  expect((await seal(copy)).code).toBe(64);
  expect((await seal(copy, "--recipient", "age1nonsense")).code).toBe(64);
  expect(existsSync(join(copy, "oracles/hidden.cpp"))).toBe(true);
  // No key is needed to say so.
  const again = await seal(task, "--new-identity", join(folder, "k2"));
  expect(again.code).toBe(65);
  expect(again.stderr).toContain("the task is sealed already");
  const patch = join(example, "patches/modulo-64-bit.diff");
  const kept = await runCli(["grade", patch, "--task", task, "--keep"], { folder, env: withKey });
  expect([kept.code, kept.stdout]).toEqual([64, ""]);
});

function temporaryFolderBelow(name: string): string {
  const own = join(folder, name);
  execFileSync("mkdir", ["-p", "-m", "755", own]);
  return own;
}

/** Names of the oracle's own functions. */
function distinctive(text: string): string[] {
  const names = [...text.matchAll(/^(?:static |template <[^\n]*> ?)?void (\w{8,})\(/gm)].map(
    ([, name]) => name ?? "",
  );
  expect(names.length).toBeGreaterThan(2);
  return names.slice(0, 8);
}

/** Files below a folder that hold one of the words. */
function filesWith(where: string, words: readonly string[]): string[] {
  expect(words.length).toBeGreaterThan(0);
  try {
    const args = ["-rlaF", ...words.flatMap((word) => ["-e", word]), where];
    return execFileSync("grep", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  } catch {
    // grep says 1 where nothing matches, and 2 where a file went away meanwhile.
    return [];
  }
}
