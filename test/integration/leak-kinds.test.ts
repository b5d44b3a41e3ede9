/** Texts of every kind, for every shipped task: leaking ones are found, clean ones are not. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportFingerprints, readFingerprints } from "../../src/audit/leaks/fingerprints.ts";
import { isBlocked, openLeakScanner } from "../../src/audit/leaks/scanner.ts";
import { scanShown } from "../../src/audit/leaks/shown.ts";
import type { Task } from "../../src/model/task.ts";
import { loadTask } from "../../src/task/load.ts";
import { cleanTexts, type KindText, leakingTexts } from "../support/leak-kinds.ts";
import { inRepository } from "../support/repository.ts";

const tasks = await Promise.all(
  readdirSync(inRepository("examples")).map((name) => loadTask(inRepository(`examples/${name}`))),
);

/** Hand-written texts lie in `test/leaks/<task>/<sort>/`. */
function written(task: Task, sort: string): KindText[] {
  const folder = inRepository(`test/leaks/${task.id}/${sort}`);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => ({ kind: name, text: readFileSync(join(folder, name), "utf8") }));
}

for (const task of tasks) {
  const scanner = openLeakScanner(task);
  const exported = readFingerprints(exportFingerprints(task), "exported");
  const others = tasks.filter((other) => other !== task);
  const leaking = [...leakingTexts(task), ...written(task, "leaking"), ...written(task, "later/leaking")];
  const clean = [...cleanTexts(task, others), ...written(task, "clean"), ...written(task, "later/clean")];
  const isBeyond = ({ kind }: KindText) => /paraphrase/.test(kind);

  for (const { kind, text } of leaking.filter((one) => !isBeyond(one)))
    test(`${task.id}: a leak is found in ${kind}`, () => {
      expect(isBlocked(scanner.scan(text))).toBe(true);
    });

  for (const { kind, text } of clean)
    test(`${task.id}: no leak is found in ${kind}`, () => {
      expect(scanner.scan(text)).toEqual([]);
    });

  for (const { kind, text } of leaking.filter(isBeyond))
    test(`${task.id}: ${kind} is beyond what words in common can tell, as documented`, () => {
      expect(isBlocked(scanner.scan(text))).toBe(false);
    });

  test(`${task.id}: an export finds the same as the task`, () => {
    for (const { text } of [...leaking, ...clean]) expect(exported.scan(text)).toEqual(scanner.scan(text));
  });

  test(`${task.id}: what it shows itself holds no leak`, () => {
    expect(scanShown(task).flatMap(({ hits }) => hits)).toEqual([]);
  });
}
