/** `selftest`: the shipped attacks and honest patches, graded on this machine. */
import { type CorpusPatch, readCorpus } from "../audit/corpus.ts";
import { runSelftest, type SelftestResult, type SelftestSummary } from "../audit/selftest.ts";
import { packageFile } from "../grade/package-file.ts";
import { ExitCode } from "../model/errors.ts";
import type { GradeRecord } from "../model/record.ts";
import { loadTask } from "../task/load.ts";
import { openContext, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

export interface SelftestFlags {
  readonly json?: boolean;
  readonly jobs?: number;
}

/** Prints what differs and the two rates; gives 0, or 6 where anything differs. @throws GraderError */
export async function selftestCommand(flags: SelftestFlags, run: Run): Promise<number> {
  const patches = readCorpus(packageFile("test/corpus"));
  const odd: SelftestResult[] = [];
  const summary = await judgeCorpus(patches, flags, run, (result) => {
    if (!result.asExpected) odd.push(result);
  });
  const text = flags.json ? JSON.stringify({ ...summary, differing: odd.map(rowOf) }) : linesOf(odd, summary);
  await writeOut(`${text}\n`);
  return odd.length === 0 ? 0 : ExitCode.findings;
}

/** Grades the corpus; what `doctor --full` runs as well. */
export async function judgeCorpus(
  patches: readonly CorpusPatch[],
  flags: SelftestFlags,
  run: Run,
  onResult: (result: SelftestResult) => void = () => undefined,
): Promise<SelftestSummary> {
  let done = 0;
  const progress = batchProgress(() => ({ done, total: patches.length }));
  const wishes = { signal: run.signal, ...(flags.jobs === undefined ? {} : { jobs: flags.jobs }) };
  try {
    return await withMachine(wishes, (machine) => {
      // Answers from earlier records would say nothing of this machine.
      const open = async (folder: string) =>
        openContext(await loadTask(folder), machine, { ...wishes, many: true, cache: false });
      return runSelftest(patches, open, (result) => {
        done++;
        onResult(result);
      });
    });
  } finally {
    progress.stop();
  }
}

/** The closing line: `57 attacks, 0 false PASS; 12 honest patches, 0 false alarms`. */
export function summaryLine({ attacks, falsePass, honest, falseAlarms, otherwise }: SelftestSummary): string {
  const more = otherwise === 0 ? "" : `; ${otherwise} other answers than expected`;
  return `${attacks} attacks, ${falsePass} false PASS; ${honest} honest patches, ${falseAlarms} false alarms${more}`;
}

function linesOf(odd: readonly SelftestResult[], summary: SelftestSummary): string {
  const paint = paintFor(process.stdout);
  if (odd.length > 0) writeErr("these answers are not the expected ones:");
  const rows = odd
    .map(rowOf)
    .map(({ name, expected, verdict, why }) => `  ${name}: ${verdict}, not ${expected} · ${why}`);
  const line = summaryLine(summary);
  return [...rows, odd.length === 0 ? paint.green(line) : paint.red(line)].join("\n");
}

function rowOf({ patch, record }: SelftestResult) {
  return {
    name: patch.name,
    expected: patch.answers.join(" or "),
    verdict: record.verdict,
    why: whyOf(record),
  };
}

function whyOf(record: GradeRecord): string {
  const layers = Object.entries(record.layers).map(
    ([name, layer]) => `${name} ${layer?.status === "fail" ? layer.cause : layer?.status}`,
  );
  return record.message ?? layers.join(", ");
}
