import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { LedgerEntry } from "../model/ledger.ts";
import { openLedgerFile } from "./ledger-file.ts";

const folder = mkdtempSync(join(tmpdir(), "test-ledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry: LedgerEntry = {
  at: "2026-01-01T00:00:00.000Z",
  caller: "loop",
  oracle: "o",
  model: "m",
  prompt: "p",
  run: "r",
  patch: "x",
  label: "overfit",
  bits: 1,
};

test("a ledger that is not there yet counts nothing, and its folder is made with the first label", () => {
  const ledger = openLedgerFile(join(folder, "new/below/ledger.jsonl"));
  expect(ledger.count("o", "r")).toEqual({ run: 0, all: 0 });
  ledger.append(entry);
  expect(ledger.count("o", "r")).toEqual({ run: 1, all: 1 });
});

test("a last line that was cut short hides no label, neither before nor after it", () => {
  const path = join(folder, "cut.jsonl");
  writeFileSync(path, `${JSON.stringify(entry)}\n{"at":"2026-01-01T00:00:00.000Z","cal`);
  const ledger = openLedgerFile(path);
  expect(ledger.count("o", "r")).toEqual({ run: 1, all: 1 });
  ledger.append({ ...entry, run: "s" });
  expect(ledger.count("o", "s")).toEqual({ run: 1, all: 2 });
});

test("two that are open at once lose no label of each other", () => {
  const path = join(folder, "two.jsonl");
  const ledgers = [openLedgerFile(path), openLedgerFile(path)];
  for (let i = 0; i < 20; i++) ledgers[i % 2]?.append(entry);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(21);
  expect(ledgers[0]?.count("o", "r").run).toBe(20);
});

test("a pipe or a device in its place is refused at once, for reading and for writing", () => {
  const pipe = join(folder, "pipe.jsonl");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, "/dev/zero"]) {
    const ledger = openLedgerFile(path);
    const refusal = expect.objectContaining({
      exit: 75,
      message: `the ledger of labels can't be read (no regular file) · ${path}`,
    });
    expect(() => ledger.count("o", "r")).toThrow(refusal);
    expect(() => ledger.append(entry)).toThrow(refusal);
  }
});

test("one that can't be written gives no label", () => {
  const ledger = openLedgerFile(join(folder, "two.jsonl", "below.jsonl"));
  expect(() => ledger.append(entry)).toThrow(expect.objectContaining({ exit: 75 }));
});
