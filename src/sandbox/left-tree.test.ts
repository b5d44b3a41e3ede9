import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLeftTree, removeLeftTree, sizeOfFolder } from "./left-tree.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "left-tree-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bounds = { mostEntries: 10, largestFile: 100, mostBytes: 150 };
const read = (skip: (path: string) => boolean = () => false) => readLeftTree(folder, skip, bounds);

test("files, links and large files are told apart, and a link is not followed", () => {
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a"), "\xff", "latin1");
  writeFileSync(join(folder, "run"), "", { mode: 0o755 });
  writeFileSync(join(folder, "large"), "x".repeat(101));
  symlinkSync("/etc/passwd", join(folder, "link"));
  symlinkSync("/", join(folder, "root"));
  expect(read()).toEqual(
    new Map([
      ["src/a", { kind: "file", bytes: "\xff", executable: false }],
      ["run", { kind: "file", bytes: "", executable: true }],
      ["large", { kind: "large" }],
      ["link", { kind: "link", target: "/etc/passwd" }],
      ["root", { kind: "link", target: "/" }],
    ]),
  );
});

test("what is skipped is not entered", () => {
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".git/config"), "");
  expect(read((path) => path === ".git")).toEqual(new Map());
});

test("names that are no UTF-8 come back as their bytes", () => {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9])]), "");
  expect([...(read() as ReadonlyMap<string, unknown>).keys()]).toEqual(["\xe9"]);
});

test("all files together are read up to a bound, and more entries than another are not looked at", () => {
  for (const name of ["a", "b"]) writeFileSync(join(folder, name), "x".repeat(90));
  const kinds = [...(read() as ReadonlyMap<string, { kind: string }>).values()].map(({ kind }) => kind);
  expect(kinds).toEqual(["file", "large"]);
  for (let i = 0; i < 10; i++) writeFileSync(join(folder, `n${i}`), "");
  expect(read()).toEqual({ why: "more than 10 files were left" });
});

test("a folder's size counts what it takes up on disk", () => {
  mkdirSync(join(folder, "a"));
  writeFileSync(join(folder, "a/b"), "x".repeat(100_000));
  expect(sizeOfFolder(folder, 100)).toBeGreaterThanOrEqual(100_000);
  expect(sizeOfFolder(folder, 1)).toBe(Number.POSITIVE_INFINITY);
  expect(sizeOfFolder(join(folder, "gone"), 100)).toBe(0);
});

test("folders that are closed, or deeper than a path can be long, are taken away", () => {
  const top = join(folder, "top");
  mkdirSync(top);
  const from = process.cwd();
  process.chdir(top);
  for (let i = 0; i < 60; i++) {
    mkdirSync("n".repeat(100));
    process.chdir("n".repeat(100));
  }
  chmodSync(".", 0o500);
  process.chdir(from);
  mkdirSync(join(top, "closed/inner"), { recursive: true });
  chmodSync(join(top, "closed"), 0);
  removeLeftTree(top);
  expect(existsSync(top)).toBe(false);
});
