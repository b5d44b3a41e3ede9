/** The parts of help texts that commands share: examples and exit codes. */
import { exitOf } from "../model/verdict.ts";

const faults: readonly (readonly [number, string])[] = [
  [64, "the command line is wrong"],
  [65, "the task is at fault"],
  [66, "an input file is missing or unreadable"],
  [69, "a needed program or protection is missing: see hidden-oracle doctor"],
  [70, "our own fault"],
  [75, "the machine can't at the moment: try again"],
  [130, "interrupted (143: terminated); nothing is left behind"],
];

/** A list of exit codes: those of the command, then the faults that it doesn't name itself. */
export function faultHelp(own: readonly (readonly [number, string])[]): string {
  const named = own.map(([code]) => code);
  const all = [...own, ...faults.filter(([code]) => !named.includes(code))].sort(([a], [b]) => a - b);
  return `\nExit codes:\n${all.map(([code, text]) => `  ${String(code).padStart(3)}  ${text}`).join("\n")}`;
}

/** Help of `grade`, after its options. */
export const verdictHelp = `
--audience agent prints rejected, build failed, visible failed, overfit or pass, and exits 5, 2, 2, 4 or 0.

Examples:
  hidden-oracle grade fix.diff --task tasks/queue
  model-output | hidden-oracle grade -
  hidden-oracle grade --git main..HEAD
  hidden-oracle grade fix.diff --json | jq .layers
${faultHelp([
  [exitOf.PASS, "PASS          a candidate for human review"],
  [exitOf.FAIL_BOTH, "FAIL_BOTH     fails the shown tests and the hidden ones"],
  [exitOf.FAIL_VISIBLE, "FAIL_VISIBLE  fails the shown tests only: repair the oracle"],
  [exitOf.OVERFIT, "OVERFIT       passes the shown tests only"],
  [exitOf.REJECTED, "REJECTED      could not be judged, through its own fault"],
])}`;
