/** The review of a PASS in a few lines, for the person who decides. */
import type { GradeRecord } from "../model/record.ts";

/** Lines for standard error; none where no review was asked for. */
export function reviewLines({ review }: GradeRecord): string[] {
  if (review === undefined) return [];
  const { coverage, interface: change, cpu } = review;
  const executed = coverage.changed - coverage.missed.length;
  return [
    `coverage: hidden checks executed ${executed} of ${coverage.changed} changed lines that have code`,
    ...placesOf(coverage.missed).map((place) => `  not executed: ${place}`),
    ...change.removed.map((line) => `interface: - ${line}`),
    ...change.added.map((line) => `interface: + ${line}`),
    ...(change.removed.length + change.added.length === 0 ? ["interface: unchanged"] : []),
    ...Object.entries(cpu.layers).map(
      ([name, { cpuMs, modelMs }]) => `CPU: ${name} ${cpuMs} ms, ${cpu.against} ${modelMs} ms`,
    ),
  ];
}

/** `src/a.cpp:3-5`: runs of lines, joined. */
function placesOf(lines: readonly { readonly file: string; readonly line: number }[]): string[] {
  const runs: { file: string; from: number; to: number }[] = [];
  for (const { file, line } of lines) {
    const last = runs.at(-1);
    if (last?.file === file && last.to === line - 1) last.to = line;
    else runs.push({ file, from: line, to: line });
  }
  return runs.map(({ file, from, to }) => `${file}:${from}${to === from ? "" : `-${to}`}`);
}
