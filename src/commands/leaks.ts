/** `leaks`: whether the oracle has reached a text, by the task or by an export of its fingerprints. */
import { writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import picomatch from "picomatch";
import { exportFingerprints, readFingerprints } from "../audit/leaks/fingerprints.ts";
import { isBlocked, type LeakHit, type LeakScanner, openLeakScanner } from "../audit/leaks/scanner.ts";
import { scanShown } from "../audit/leaks/shown.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import { type History, openHistory } from "./leaks-git.ts";
import { assertThere, type LeakText, largest, type Skipped, textsOf } from "./leaks-texts.ts";
import { openTask, withMachine } from "./open.ts";
import { batchProgress } from "./progress.ts";
import { readSmall } from "./read-small.ts";
import type { Run } from "./run.ts";
import { paintFor, writeErr, writeOut } from "./terminal.ts";

export interface LeaksFlags {
  readonly task?: string | true;
  readonly fingerprints?: string;
  readonly export?: string;
  readonly git?: string | true;
  readonly exclude?: readonly string[];
  readonly json?: boolean;
  readonly identity?: string;
}

/** One place, as it is printed. `commit` is there with `--git`, `path` and `row` for transcripts. */
type Finding = Omit<LeakText, "text"> & LeakHit;

interface Scan {
  readonly findings: Finding[];
  readonly skipped: Skipped[];
  texts: number;
}

/** Prints where the oracle is; gives 0, or 6 where that is certain or likely. @throws GraderError */
export async function leaksCommand(files: readonly string[], flags: LeaksFlags, run: Run): Promise<number> {
  assertSensible(files, flags);
  if (flags.export !== undefined) return writeExport(flags.export, flags);
  assertThere(files);
  const scan: Scan = { findings: [], skipped: [], texts: 0 };
  if (files.length === 0 && flags.git === undefined) await scanTask(flags, scan);
  else await scanTexts(await openScanner(flags), files, flags, run, scan);
  await print(scan, flags);
  if (isBlocked(scan.findings)) return ExitCode.findings;
  const fault = scan.skipped.find(({ isFault }) => isFault);
  if (fault !== undefined)
    throw new GraderError(66, `not everything could be looked through · ${fault.file} ${fault.why}`, {
      hint: "make it readable, or leave it out with --exclude",
    });
  return 0;
}

function assertSensible(files: readonly string[], flags: LeaksFlags): void {
  const wrong = (what: string, hint: string) => new GraderError(ExitCode.usage, what, { hint });
  if (flags.fingerprints !== undefined && flags.task !== undefined)
    throw wrong("--task and --fingerprints exclude each other", "name one of the two");
  if (
    flags.export !== undefined &&
    (files.length > 0 || flags.git !== undefined || flags.fingerprints !== undefined)
  )
    throw wrong(
      "--export goes with --task alone",
      "export first, then look through texts with --fingerprints",
    );
  if (flags.fingerprints !== undefined && files.length === 0 && flags.git === undefined)
    throw wrong("--fingerprints needs texts", "name files or folders, - for standard input, or --git");
}

function taskOf({ task, identity }: LeaksFlags) {
  return openTask(task === true ? undefined : task, identity);
}

async function writeExport(file: string, flags: LeaksFlags): Promise<number> {
  const text = exportFingerprints(await taskOf(flags));
  if (file === "-") {
    await writeOut(text);
    return 0;
  }
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new GraderError(
      66,
      `can't write the fingerprints · ${file} (${(cause as NodeJS.ErrnoException).code})`,
      {
        hint: "name a file in a folder that exists and may be written",
        cause,
      },
    );
  }
  writeErr(`fingerprints of the oracle are in ${file}: no text, but a guess can be checked against them`);
  return 0;
}

async function openScanner(flags: LeaksFlags): Promise<LeakScanner> {
  const { fingerprints } = flags;
  if (fingerprints === undefined) return openLeakScanner(await taskOf(flags));
  return readFingerprints(readSmall(fingerprints, largest).toString("utf8"), fingerprints);
}

async function scanTask(flags: LeaksFlags, scan: Scan): Promise<void> {
  for (const { name, hits } of scanShown(await taskOf(flags))) {
    scan.texts++;
    scan.findings.push(...hits.map((hit) => ({ file: name, ...hit })));
  }
}

async function scanTexts(
  scanner: LeakScanner,
  files: readonly string[],
  flags: LeaksFlags,
  run: Run,
  scan: Scan,
): Promise<void> {
  const matchers = (flags.exclude ?? []).map((glob) => picomatch(glob, { dot: true }));
  const isExcluded = (path: string) => matchers.some((matches) => matches(path.replace(/^\.\//, "")));
  const onSkip = (skipped: Skipped) => scan.skipped.push(skipped);
  const progress = batchProgress(() => ({ done: scan.texts, total: undefined }));
  try {
    await scanAll(scanner, textsOf(files, isExcluded, onSkip), run, scan);
    if (flags.git === undefined) return;
    const range = flags.git === true ? undefined : flags.git;
    await withMachine({ jobs: 1, signal: run.signal }, async (machine) => {
      const history = openHistory(process.cwd(), range, machine);
      const before = scan.findings.length;
      await scanAll(scanner, history.texts(isExcluded, onSkip), run, scan);
      await nameCommits(scan.findings, before, history);
    });
  } finally {
    progress.stop();
  }
}

async function scanAll(
  scanner: LeakScanner,
  texts: AsyncIterable<LeakText>,
  run: Run,
  scan: Scan,
): Promise<void> {
  for await (const { text, ...where } of texts) {
    // A scan holds the thread; an interrupt is only heard in between.
    await nextTurn();
    if (run.signal.aborted) throw run.signal.reason;
    scan.texts++;
    for (const hit of scanner.scan(text)) scan.findings.push({ ...where, ...hit });
  }
}

/** Which commit brought an object in is asked for the findings alone. */
async function nameCommits(findings: Finding[], from: number, history: History): Promise<void> {
  const known = new Map<string, string>();
  for (const [i, finding] of findings.entries()) {
    if (i < from || finding.commit === undefined) continue;
    const id = finding.commit;
    const isOwn = / message$/.test(finding.file);
    const commit = known.get(id) ?? (isOwn ? undefined : await history.commitOf(id)) ?? id.slice(0, 12);
    known.set(id, commit);
    findings[i] = { ...finding, commit };
  }
}

async function print(scan: Scan, flags: LeaksFlags): Promise<void> {
  const { findings, skipped, texts } = scan;
  if (flags.json) {
    await writeOut(
      `${JSON.stringify({ texts, findings, skipped: skipped.map(({ file, why }) => ({ file, why })) })}\n`,
    );
    return;
  }
  const paint = paintFor(process.stdout);
  const lines = findings.flatMap((finding) => {
    const level = finding.level === "possible" ? paint.yellow(finding.level) : paint.red(finding.level);
    return [`${placeOf(finding)}: ${level} · ${finding.signals.join(", ")}`, `    ${finding.excerpt}`];
  });
  const closing =
    findings.length === 0 ? paint.green(`no leak in ${count(texts)}`) : summaryOf(findings, texts);
  await writeOut(`${[...lines, closing].join("\n")}\n`);
  const isPassedOver = ({ why, isFault }: Skipped) => why === "binary" && !isFault;
  for (const { file, why } of skipped.filter((one) => !isPassedOver(one)))
    writeErr(`not looked through: ${printable(file)} · ${why}`);
  const binary = skipped.filter(isPassedOver);
  const [first] = binary;
  if (first) writeErr(`not looked through: ${binary.length} binary, such as ${printable(first.file)}`);
}

function summaryOf(findings: readonly Finding[], texts: number): string {
  const blocking = findings.filter(({ level }) => level !== "possible").length;
  const warnings = findings.length - blocking;
  const more = warnings === 0 ? "" : `, ${warnings} possible`;
  return `${blocking} ${blocking === 1 ? "place" : "places"} of a leak${more}, in ${count(texts)}`;
}

function count(texts: number): string {
  return texts === 1 ? "1 text" : `${texts} texts`;
}

/** A name as one word of one line: whoever made the file chose it. */
function printable(name: string): string {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
    ? JSON.stringify(name).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, "?")
    : name;
}

function placeOf({ file, commit, row, path, firstLine, lastLine }: Finding): string {
  const lines = firstLine === lastLine ? `${firstLine}` : `${firstLine}-${lastLine}`;
  const name = `${commit === undefined ? "" : `${commit}:`}${printable(file)}`;
  if (row === undefined && path === undefined) return `${name}:${lines}`;
  return `${name}${row === undefined ? "" : `:${row}`}${path === undefined ? "" : ` ${path}`} line ${lines}`;
}
