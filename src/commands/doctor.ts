/** `doctor`: what of this machine is usable, one line each, with the mend. */
import { readCorpus } from "../audit/corpus.ts";
import { packageFile } from "../grade/package-file.ts";
import { ExitCode } from "../model/errors.ts";
import { alignColumns } from "../report/table.ts";
import { toolchainChecks } from "./doctor-canaries.ts";
import type { Check } from "./doctor-check.ts";
import { machineChecks } from "./doctor-machine.ts";
import { gradeProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { judgeCorpus, summaryLine } from "./selftest.ts";
import { paintFor, writeOut } from "./terminal.ts";

/** Prints the findings and gives 0, 6 where something is broken, or 69 where nothing can be graded. */
export async function doctorCommand(flags: { json?: boolean; full?: boolean }, run: Run): Promise<number> {
  const { json, full } = flags;
  const progress = gradeProgress();
  const checks: Check[] = [];
  try {
    progress.step("looking at the machine");
    checks.push(...machineChecks());
    progress.step("building and running small programs that must fail");
    checks.push(...(await toolchainChecks(run.signal)));
    if (full && checks.every(({ status }) => status !== "fail")) checks.push(await selftestCheck(run));
  } finally {
    progress.stop();
  }
  const text = json ? JSON.stringify(checks, null, process.stdout.isTTY ? 2 : undefined) : lines(checks);
  await writeOut(`${text}\n`);
  if (checks.some(({ status, isVital }) => status === "fail" && isVital)) return ExitCode.unavailable;
  return checks.some(({ status }) => status === "fail") ? ExitCode.findings : 0;
}

/** The shipped corpus on this machine, as one line. */
async function selftestCheck(run: Run): Promise<Check> {
  const summary = await judgeCorpus(readCorpus(packageFile("test/corpus")), {}, run);
  const isFine = summary.falsePass + summary.falseAlarms + summary.otherwise === 0;
  const mend = isFine ? {} : { mend: "run `hidden-oracle selftest` to see which" };
  return { name: "selftest", status: isFine ? "ok" : "fail", detail: summaryLine(summary), ...mend };
}

function lines(checks: readonly Check[]): string {
  const paint = paintFor(process.stdout);
  const word = { ok: paint.green("ok"), warn: paint.yellow("warn"), fail: paint.red("fail") };
  const rows = alignColumns(checks.map(({ name, status, detail }) => [word[status], name, detail]));
  return checks
    .flatMap(({ mend }, i) => [rows[i] ?? "", ...(mend ? [`      ${paint.cyan("mend:")} ${mend}`] : [])])
    .join("\n");
}
