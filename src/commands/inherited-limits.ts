/** Limits that this process was started under, and that whatever it starts inherits. */
import { GraderError } from "../model/errors.ts";

/** One line of `/proc/PID/limits`; Infinity for `unlimited`. */
export interface InheritedLimit {
  readonly name: string;
  readonly soft: number;
  readonly hard: number;
}

/** The limits in the text of `/proc/self/limits`. */
export function parseLimits(text: string): InheritedLimit[] {
  return text.split("\n").flatMap((line) => {
    const match = /^(Max .*?)\s{2,}(\d+|unlimited)\s+(\d+|unlimited)/.exec(line);
    if (match?.[1] === undefined) return [];
    return [{ name: match[1], soft: numberOf(match[2]), hard: numberOf(match[3]) }];
  });
}

function numberOf(text = ""): number {
  return text === "unlimited" ? Number.POSITIVE_INFINITY : Number(text);
}

/** The `ulimit` option of each limit on memory that a sanitizer can't start under: it reserves terabytes. */
const fatal: Readonly<Record<string, string>> = { "Max address space": "-v", "Max data size": "-d" };

/** A limit that keeps sanitizers from starting, as an error; undefined where there is none. */
export function inheritedFault(text: string): GraderError | undefined {
  for (const { name, soft, hard } of parseLimits(text)) {
    const option = fatal[name];
    if (option === undefined || !Number.isFinite(soft)) continue;
    const what = `${name.slice("Max ".length)} is limited to ${Math.round(soft / 1024 / 1024)} MiB`;
    return new GraderError(69, `sanitizers can't start under an inherited limit · ${what}`, {
      hint: Number.isFinite(hard)
        ? `start this from a shell without that limit: root can lift it with ulimit ${option} unlimited`
        : `run: ulimit ${option} unlimited`,
    });
  }
  return undefined;
}

/** @throws GraderError 69 before anything is built, where every layer would fail for no fault of the candidate. */
export function assertNoInheritedLimit(text: string): void {
  const fault = inheritedFault(text);
  if (fault) throw fault;
}
