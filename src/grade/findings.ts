/** Reads sanitizer reports. They refine a cause and lead a reader to a line; they never decide pass or fail. */
import { posix } from "node:path";
import type { FailCause, Finding } from "../model/outcome.ts";

/** What a report says it is. */
export interface SanitizerReport {
  readonly cause: Extract<FailCause, "asan" | "ubsan" | "leak" | "tsan" | "msan">;
  readonly finding: Finding;
}

const headers: readonly { readonly cause: SanitizerReport["cause"]; readonly pattern: RegExp }[] = [
  { cause: "leak", pattern: /ERROR: LeakSanitizer: (detected memory leaks)/ },
  { cause: "asan", pattern: /ERROR: AddressSanitizer:? ([\w-]+)([^\n]*)/ },
  { cause: "tsan", pattern: /(?:WARNING|ERROR): ThreadSanitizer: ([\w-]+(?: \w+)?)/ },
  { cause: "msan", pattern: /WARNING: MemorySanitizer: ([\w-]+)/ },
];

/** The first report in what a run printed, or undefined. */
export function readReport(text: string): SanitizerReport | undefined {
  const ubsan = /^(?:\/w\/)?([^\s:]+):(\d+):\d+: runtime error: ([^\n]*)/m.exec(text);
  const found = headers.flatMap(({ cause, pattern }) => {
    const match = pattern.exec(text);
    return match ? [{ cause, match }] : [];
  });
  const first = found.sort((a, b) => a.match.index - b.match.index)[0];
  if (ubsan && (!first || ubsan.index < first.match.index)) return undefinedBehaviour(ubsan);
  if (!first) return undefined;
  const kind = first.cause === "leak" ? "memory-leak" : (first.match[1] ?? "").replaceAll(" ", "-");
  const rest = text.slice(first.match.index);
  return { cause: first.cause, finding: { kind, ...messageOf(first.cause, rest), ...frameOf(rest) } };
}

function undefinedBehaviour(match: RegExpExecArray): SanitizerReport {
  const [, file = "", line = "0", message = ""] = match;
  const kind = slugOf(message);
  const inTree = pathInTree(file);
  const place = inTree === undefined ? {} : { file: inTree, line: Number(line) };
  return { cause: "ubsan", finding: { kind, message, ...place } };
}

/** `signed integer overflow: 1 + 2 …` becomes `signed-integer-overflow`. */
function slugOf(message: string): string {
  const words = message.split(/[:,]| \d| of | for | on | cannot | which /)[0] ?? message;
  return (
    words
      .trim()
      .toLowerCase()
      .replace(/[^a-z]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "undefined-behavior"
  );
}

function messageOf(cause: SanitizerReport["cause"], report: string): { message: string } {
  if (cause === "leak") {
    const summary = /SUMMARY: \w+: (\d+ byte\(s\) leaked in \d+ allocation\(s\))/.exec(report)?.[1];
    return { message: summary ?? "memory is never freed" };
  }
  const access = /^(READ|WRITE) of size \d+/m.exec(report)?.[0];
  return { message: access ?? (report.split("\n")[0] ?? "").slice(0, 200) };
}

/** The first frame that lies in the patched tree. Test units have no line tables, so none of theirs shows. */
function frameOf(report: string): { file?: string; line?: number } {
  const frame = /^\s*#\d+ 0x[0-9a-f]+ in .*? (?:\/w\/)?([^\s:/(.][^\s:]*):(\d+)/m.exec(report);
  const file = frame?.[1] === undefined ? undefined : pathInTree(frame[1]);
  return file === undefined ? {} : { file, line: Number(frame?.[2]) };
}

/** The path in the patched tree of what a compiler may call `include/lib/../a.hpp`; undefined for all else. */
export function pathInTree(file: string): string | undefined {
  const tidy = posix.normalize(file);
  return /^(?:[/=<]|\.\.(?:\/|$))|^\?\?$/.test(tidy) ? undefined : tidy;
}

/** Words that a sanitizer may print when it could not do its work; a canary decides whether that is true. */
export function soundsLikeBrokenSanitizer(text: string): boolean {
  return /LeakSanitizer has encountered a fatal error|Sanitizer(?:[^\n]*)(?:CHECK failed|failed to (?:allocate|map|deallocate|protect))|ReserveShadowMemoryRange failed|Shadow memory range interleaves|unexpected memory mapping|pthread_create failed/.test(
    text,
  );
}
