/** Two processes, one report: whose end decides an isolated run. */
import type { RunReport } from "../run-test.ts";

/**
 * The report as if there had been one process. Where the candidate's ended badly, its end takes the place of
 * the test's; where it ended well, a leak that it found counts as the run's.
 */
export function blameCandidate(report: RunReport): RunReport {
  const { proof, status } = report;
  const candidate = status.end?.candidate;
  // Ended last: the test came to its end without it, which is then what counts.
  if (!status.end || !candidate || candidate.order === "last") return report;
  const isOpen = proof.kind === "none" || proof.kind === "completed";
  if (!isOpen && !(proof.kind === "remote-failed" && proof.why === "ended")) return report;
  const { exitCode, signal, work } = candidate;
  if (candidate.order === "early" || work === "unfinished" || exitCode !== 0)
    return {
      ...report,
      proof: { kind: "none" },
      status: { ...status, end: { ...status.end, exitCode, signal } },
    };
  if (proof.kind !== "completed" || work !== "leaked") return report;
  return { ...report, proof: { ...proof, leaks: true } };
}
