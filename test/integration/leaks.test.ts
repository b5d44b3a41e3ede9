/** `leaks` as people call it: inputs, exit codes, and that nothing of the oracle is printed that isn't in the text. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("leaks");
const task = inRepository("examples/bounded-queue");
const oracle = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
const leak =
  "for (std::size_t cap : {1, 2, 3, 6, 10, 12, 16, 100, 127, 128, 129, 1000}) random_walk(cap, cap);";
const fingerprints = join(folder, "queue.json");
const leaks = (args: readonly string[], more: { stdin?: string; cwd?: string } = {}) =>
  runCli(["leaks", ...args], { folder, ...more });

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  const run = spawnSync("git", [...who, ...args], { cwd, encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.trim();
}

beforeAll(async () => {
  const { code } = await leaks(["--export", fingerprints, "--task", task]);
  expect(code).toBe(0);
});

test("without texts the task's own prompt, hints, tests and sources are looked through", async () => {
  expect(await leaks(["--task", task])).toMatchObject({ code: 0, stdout: "no leak in 6 texts\n" });
});

test("a prompt that holds a part of the oracle exits with 6 and names the lines", async () => {
  const copy = copyTask(task, folder);
  writeFileSync(join(copy, "prompts/fix_queue.md"), `Repair it.\n\n${leak}\n`);
  const { code, stdout } = await leaks(["--task", copy]);
  expect(code).toBe(6);
  expect(stdout).toMatch(/^prompts\/fix_queue\.md:3: certain · /);
});

test("a hint that holds a part of the oracle exits with 6", async () => {
  const copy = copyTask(task, folder, { hints: { OVERFIT: `Think of ${leak}` } });
  const { code, stdout } = await leaks(["--task", copy]);
  expect([code, stdout.split(":")[0]]).toEqual([6, "manifest.json hints.OVERFIT"]);
});

test("a comment of a source that quotes the oracle exits with 6, though code that is shared doesn't", async () => {
  const copy = copyTask(task, folder);
  const source = join(copy, "src/bounded_queue.cpp");
  const before = readFileSync(source, "utf8");
  writeFileSync(source, `${before}\nstatic void unused() {\n    ${leak}\n}\n`);
  expect((await leaks(["--task", copy])).code).toBe(0);
  writeFileSync(source, `${before}\n// ${leak}\n`);
  const { code, stdout } = await leaks(["--task", copy]);
  expect([code, stdout.split(":")[0]]).toEqual([6, "src/bounded_queue.cpp"]);
});

test("a visible test that is the oracle leaves nothing hidden, and exits with 6", async () => {
  const copy = copyTask(task, folder);
  writeFileSync(join(copy, "tests/visible.cpp"), oracle);
  const { code, stdout } = await leaks(["--task", copy]);
  expect(code).toBe(6);
  expect(stdout).toContain("hold 100 % of the oracle's code");
});

test("an export holds no text of the oracle", () => {
  const text = readFileSync(fingerprints, "utf8");
  const names = oracle.match(/[A-Za-z_]\w{6,}/g) ?? [];
  const own = names.filter(
    (name) => !/^(?:bounded_queue|version|numbers|renamed|phrases|operands|canaries)$/.test(name),
  );
  expect(own.filter((name) => text.includes(name))).toEqual([]);
});

test("an export and the task answer alike, and the export needs no task", async () => {
  const text = file("prompt.txt", `Look at this:\n${leak}\n`);
  const byTask = await leaks(["--task", task, "--json", text]);
  const byExport = await leaks(["--fingerprints", fingerprints, "--json", text], { cwd: folder });
  expect(byExport.stdout).toBe(byTask.stdout);
  expect([byTask.code, byExport.code]).toEqual([6, 6]);
});

test("transcripts name the path that leads to the string, and the row of JSON lines", async () => {
  const json = file(
    "chat.json",
    JSON.stringify({ messages: [{ content: "hello" }, { content: ["so:", leak] }] }),
  );
  const rows = file(
    "chat.jsonl",
    `{"text": "fine"}\n${JSON.stringify({ text: `see\n${leak}` })}\nnot JSON\n`,
  );
  const { stdout } = await leaks(["--fingerprints", fingerprints, "--json", json, rows]);
  expect(JSON.parse(stdout)).toMatchObject({
    texts: 5,
    findings: [
      { file: json, path: "$.messages[1].content", firstLine: 2 },
      { file: rows, row: 2, path: "$.text", firstLine: 2 },
    ],
  });
});

test("standard input is read with a dash", async () => {
  const args = ["--fingerprints", fingerprints, "-"];
  expect((await leaks(args, { stdin: leak })).code).toBe(6);
  expect((await leaks(args, { stdin: "The queue loses jobs." })).code).toBe(0);
});

test("an excerpt comes from the scanned text, and no word of the oracle beyond it is printed", async () => {
  const text = file("short.txt", "void {anonymous}::every_phase(size_t), oracles/hidden.cpp:99, said no");
  const { stdout, stderr } = await leaks(["--fingerprints", fingerprints, text]);
  const printed = `${stdout}${stderr}`.match(/\w{6,}/g) ?? [];
  const scanned = readFileSync(text, "utf8");
  const visible = ["certain", "likely", "places", "signals", ...text.split(/\W/)];
  const foreign = printed.filter(
    (word) => oracle.includes(word) && !scanned.includes(word) && !visible.includes(word),
  );
  expect(foreign).toEqual([]);
});

test("a folder is looked through without .git, links and binaries, and what was left out is told", async () => {
  const tree = join(folder, "tree");
  mkdirSync(join(tree, ".git"), { recursive: true });
  mkdirSync(join(tree, "deep/er"), { recursive: true });
  writeFileSync(join(tree, ".git/config"), leak);
  writeFileSync(join(tree, "a.bin"), Buffer.from([0, 1, 2, ...Buffer.from(leak)]));
  writeFileSync(
    join(tree, "deep/er/notes.md"),
    Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(leak)]),
  );
  const { code, stdout, stderr } = await leaks(["--fingerprints", fingerprints, tree]);
  expect(code).toBe(6);
  expect(stdout).toContain("1 place of a leak, in 1 text\n");
  expect(stdout).toContain(`${join(tree, "deep/er/notes.md")}:1: certain`);
  expect(stderr).toContain("not looked through: 1 binary");
  expect((await leaks(["--fingerprints", fingerprints, tree, "--exclude", "**/notes.md"])).code).toBe(0);
});

test("what can't be read is a fault, but a leak elsewhere is told first", async () => {
  expect(await leaks(["--fingerprints", fingerprints, join(folder, "nowhere")])).toMatchObject({
    code: 66,
    stdout: "",
  });
  expect((await leaks(["--fingerprints", join(folder, "nowhere"), task])).code).toBe(66);
  const bad = file("bad.json", '{"format": "something else"}');
  const { code, stderr } = await leaks(["--fingerprints", bad, bad]);
  expect(code).toBe(66);
  expect(stderr).toContain("not a file of fingerprints");
  chmodSync(bad, 0o600);
});

test("history is searched in files, in removed files and in messages, whatever the repository's settings say", async () => {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  git(repository, "init", "-q", "-b", "main");
  writeFileSync(join(repository, "a.txt"), "nothing\n");
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "Begin");
  const start = git(repository, "rev-parse", "HEAD");
  writeFileSync(join(repository, "b.txt"), `one\ntwo\n${leak}\n`);
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "Add");
  const added = git(repository, "rev-parse", "--short", "HEAD");
  git(repository, "rm", "-q", "b.txt");
  git(repository, "commit", "-qm", "Remove");
  const clean = git(repository, "rev-parse", "HEAD");
  git(repository, "commit", "-q", "--allow-empty", "-m", `Say it\n\n${leak}`);
  git(repository, "config", "diff.external", "touch ran");
  git(repository, "config", "core.fsmonitor", "touch ran");
  const all = await leaks(["--fingerprints", fingerprints, "--git", "--json"], { cwd: repository });
  expect(all.code).toBe(6);
  expect(JSON.parse(all.stdout).findings).toMatchObject([
    { file: "commit message" },
    { file: "b.txt", commit: added, firstLine: 3 },
  ]);
  const range = await leaks(["--fingerprints", fingerprints, "--git", `${clean}~1..${clean}`], {
    cwd: repository,
  });
  expect(range.code).toBe(0);
  const none = await leaks(["--fingerprints", fingerprints, `--git=${start}..nowhere`], { cwd: repository });
  expect(none.code).toBe(66);
});

test("texts in the forms that break readers of text are read", async () => {
  const texts = [
    file("deep.json", `${"[".repeat(50_000)}${"]".repeat(50_000)}`),
    file("line.txt", "x y".repeat(300_000)),
    file("bytes.txt", Buffer.from(Array.from({ length: 5_000 }, (_, i) => 1 + ((i * 7) % 255)))),
    file("empty.txt", ""),
    file("open.txt", '/*"\\'.repeat(5_000)),
    file("wide.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(leak, "utf16le")])),
  ];
  const { code, stdout } = await leaks(["--fingerprints", fingerprints, "--json", ...texts]);
  expect(code).toBe(6);
  expect(JSON.parse(stdout).findings).toMatchObject([{ file: join(folder, "wide.txt") }]);
});

test("flags that make no sense together are a usage error", async () => {
  expect((await leaks(["--fingerprints", fingerprints])).code).toBe(64);
  expect((await leaks(["--fingerprints", fingerprints, "--task", task])).code).toBe(64);
  expect((await leaks(["--export", "-", "README.md", "--task", task])).code).toBe(64);
});

test("none of the C++ headers of this machine looks like a leak", async () => {
  const { code, stdout } = await leaks(["--fingerprints", fingerprints, "--json", "/usr/include/c++"]);
  expect(code).toBe(0);
  const { texts, findings } = JSON.parse(stdout);
  expect(texts).toBeGreaterThan(100);
  expect(findings).toEqual([]);
});

test("a pipe that nobody writes to is empty, not waited for; neither is a device read", async () => {
  const pipe = join(folder, "nobody.pipe");
  spawnSync("mkfifo", [pipe]);
  const waited = await runCli(["leaks", "--task", task, pipe], { folder });
  expect(waited.code).toBe(0);
  const device = await runCli(["leaks", "--task", task, "/dev/zero"], { folder });
  expect(device.code).toBe(66);
  const key = await runCli(["grade", "--baseline", "--task", task, "--identity", pipe], { folder });
  expect(key.code).not.toBeNull();
});

test("a named file that can't be looked through is 66, never an all-clear", async () => {
  const binary = join(folder, "zeros.dat");
  writeFileSync(binary, `\0\0${oracle}`);
  const { code, stderr } = await runCli(["leaks", "--task", task, binary], { folder });
  expect([code, stderr]).toEqual([66, expect.stringContaining("zeros.dat")]);
});

test("a file's name is printed as one word of one line", async () => {
  const odd = join(folder, "two\nlines\u001b[31m.txt");
  writeFileSync(odd, oracle);
  const { code, stdout } = await runCli(["leaks", "--task", task, odd], { folder });
  expect(code).toBe(6);
  expect(stdout).not.toContain("\u001b[31m.txt");
  expect(stdout).toContain("two\\nlines");
});
