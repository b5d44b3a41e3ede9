/** The strength of an oracle as a mutation testing report, which other tools read. */
import type { MutantFate, ReportedMutant, StrengthReport } from "../model/strength.ts";
import { version } from "../model/version.ts";

/**
 * A report after `mutation-testing-report-schema` 3.8 (report version 2), with what that has no place for under
 * `strength`. It holds the reference's sources and no word of any test.
 *
 * @see https://github.com/stryker-mutator/mutation-testing-elements/tree/master/packages/report-schema
 */
export function mutationReport(report: StrengthReport): object {
  const { score, horizons, probes, soundness, findings, notes, task, compiler, sources, durationMs } = report;
  const files = Object.entries(sources).map(([path, source]) => {
    const here = report.mutants.filter(({ file }) => file === path);
    return [path, { language: "cpp", source: readable(source), mutants: here.map(mutantResult) }];
  });
  return {
    schemaVersion: "2",
    thresholds: { high: 95, low: 80 },
    framework: { name: "hidden-oracle", version },
    testFiles: { visible: testFile("visible"), hidden: testFile("hidden") },
    files: Object.fromEntries(files),
    strength: { task, compiler, score, horizons, probes, soundness, findings, notes, durationMs },
  };
}

function testFile(layer: string) {
  return { tests: [{ id: layer, name: layer }] };
}

/** Files are kept as latin1, one character a byte; readers want the text that the bytes mean. */
function readable(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function mutantResult({ id, operator, replacement, meaning, start, end, fate }: ReportedMutant): object {
  return {
    id,
    mutatorName: operator,
    description: meaning,
    replacement: readable(replacement),
    location: { start, end: emptySpanAvoided(start, end) },
    ...resultOf(fate),
  };
}

/** The viewer shows nothing of a place without extent. */
function emptySpanAvoided(start: ReportedMutant["start"], end: ReportedMutant["end"]) {
  const isEmpty = start.line === end.line && start.column === end.column;
  return isEmpty ? { line: end.line, column: end.column + 1 } : end;
}

function resultOf(fate: MutantFate): object {
  switch (fate.status) {
    case "killed":
      return {
        status: fate.cause === "timeout" ? "Timeout" : "Killed",
        killedBy: [fate.by],
        statusReason: fate.cause,
      };
    case "survived":
      return { status: "Survived" };
    case "does-not-compile":
      return { status: "CompileError" };
    case "equivalent":
      return { status: "Ignored", statusReason: "equivalent: compiles to the reference's own code" };
    case "duplicate":
      return { status: "Ignored", statusReason: `duplicate of ${fate.of}` };
    case "waived":
      return { status: "Ignored", statusReason: `waived, ${fate.category}: ${fate.reason}` };
  }
}
