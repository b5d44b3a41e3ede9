/** The ledger as a file: one JSON line a label, only ever appended to, by any number of runs at once. */
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ExitCode, GraderError } from "../model/errors.ts";
import { countLabels, type Ledger, type LedgerEntry, ledgerEntrySchema } from "../model/ledger.ts";

/** Opens the ledger; its folder is made when the first label is written. */
export function openLedgerFile(path: string): Ledger {
  return {
    append: (entry) => append(path, entry),
    count: (oracle, run) => countLabels(readEntries(path), oracle, run),
    answers: (oracle, { run, prompt }) =>
      [...readEntries(path)]
        .filter((entry) => entry.oracle === oracle && entry.run === run && entry.prompt === prompt)
        .map(({ patch, label }) => [patch, label]),
  };
}

/** One small write with O_APPEND, so that lines of several runs never mix; the line before may lack its end. */
function append(path: string, entry: LedgerEntry): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const start = endsWhole(path) ? "" : "\n";
    const fd = openSync(path, "a", 0o600);
    try {
      writeSync(fd, `${start}${JSON.stringify(entry)}\n`);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (cause instanceof GraderError) throw cause;
    throw unusable(path, "can't be written", cause);
  }
}

function endsWhole(path: string): boolean {
  const text = readText(path);
  return text === "" || text.endsWith("\n");
}

/** Entries of all whole lines; a line that was cut short by a crash tells nothing. */
function* readEntries(path: string): Generator<LedgerEntry> {
  for (const line of readText(path).split("\n")) {
    const entry = ledgerEntrySchema.safeParse(parsed(line));
    if (entry.success) yield entry.data;
  }
}

function parsed(line: string): unknown {
  try {
    return line === "" ? undefined : JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readText(path: string): string {
  try {
    // Before opening: a pipe would block for ever, and a device never end.
    if (statSync(path).isFile()) return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw unusable(path, "can't be read", cause);
  }
  throw unusable(path, "can't be read", { code: "no regular file" });
}

function unusable(path: string, what: string, cause: unknown): GraderError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  return new GraderError(ExitCode.tryAgain, `the ledger of labels ${what} (${code}) · ${path}`, {
    hint: "mend that, or name another folder with HIDDEN_ORACLE_STATE",
    cause,
  });
}
