/** The cases of `test/fixtures/reports`: kinds of trouble that people who grade code have reported in public. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../support/repository.ts";
import { type ManifestChanges, shortLimits, shortWait } from "../support/task-copy.ts";

const reports = inRepository("test/fixtures/reports");

/** One input and its acceptable answers, the best one first. */
export interface ReportCase {
  /** `folder/input`. */
  readonly name: string;
  readonly theme: string;
  readonly task: string;
  /** Absent where the input is a manifest: the baseline is graded by it. */
  readonly patch?: string;
  readonly answers: readonly [string, ...string[]];
  readonly changes: ManifestChanges;
}

interface Expectation {
  readonly theme: string;
  readonly task: string;
  readonly expect: readonly { readonly input: string; readonly tokens: [string, ...string[]] }[];
}

/** What a case needs of its task, by folder or by name. */
const changesOf: Readonly<Record<string, ManifestChanges>> = {
  "27-grandchild-survives-timeout/patch.diff": { limits: shortWait },
  // Longer than any test may take: whoever waits for the limit is found out.
  "27-grandchild-survives-timeout/correct-but-leaves-daemon.diff": { limits: { wallSeconds: 3600 } },
  "31-compile-time-bomb": { limits: shortLimits },
  "34-flaky-by-address": { hidden: { source: "oracles/hidden.cpp", repeat: 20 } },
};

/** Every case, in the order of the folders. */
export function readReportCases(): ReportCase[] {
  return readdirSync(reports)
    .sort()
    .filter((folder) => folder !== "task")
    .flatMap((folder) => casesOf(folder));
}

/** The cases of one folder. */
export function casesOf(folder: string): ReportCase[] {
  const home = join(reports, folder);
  const { theme, task, expect } = JSON.parse(
    readFileSync(join(home, "expected.json"), "utf8"),
  ) as Expectation;
  return expect.map(({ input, tokens }) => {
    const name = `${folder}/${input}`;
    const common = { name, theme, task: join(home, task), answers: tokens };
    if (input.endsWith(".json"))
      return { ...common, changes: JSON.parse(readFileSync(join(home, input), "utf8")) as ManifestChanges };
    return { ...common, patch: join(home, input), changes: changesOf[name] ?? changesOf[folder] ?? {} };
  });
}

/** One case by its name. */
export function reportCase(name: string): ReportCase {
  const found = casesOf(name.split("/")[0] ?? "").find((c) => c.name === name);
  if (found === undefined) throw new Error(`no such case: ${name}`);
  return found;
}
