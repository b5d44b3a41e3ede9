/** How a run of the loop ends: from the records of its candidates to the one token. */
import { ExitCode, GraderError } from "./errors.ts";
import type { EndReason, RecordLine } from "./transcript.ts";
import type { Token } from "./verdict.ts";

/** An end that no larger budget changes: the reserve layer is asked once, and a pass stays one. */
export function settledEnd(
  records: readonly RecordLine[],
): { readonly token: Token; readonly reason: EndReason } | undefined {
  const settled: readonly EndReason[] = ["pass", "reserve", "repair-the-oracle"];
  return records.filter((line) => line.kind === "end").find(({ reason }) => settled.includes(reason));
}

/** Whether a candidate failed the shown tests only. */
export function needsRepair(records: readonly RecordLine[]): boolean {
  return verdictsOf(records).includes("FAIL_VISIBLE");
}

/**
 * The token of the best candidate. With a failed reserve layer that is OVERFIT, whatever passed before.
 *
 * @throws GraderError 75 when nothing was judged.
 */
export function tokenOfRun(records: readonly RecordLine[], attempts: number, reason: EndReason): Token {
  if (reason === "repair-the-oracle") return "FAIL_VISIBLE";
  if (reason === "pass") return "PASS";
  if (reason === "reserve") return "OVERFIT";
  const best = bestToken(verdictsOf(records)) ?? (attempts > 0 ? "REJECTED" : undefined);
  if (best !== undefined) return best;
  throw new GraderError(ExitCode.tryAgain, `no answer was judged before the run ended · ${reason}`, {
    hint: "give it a larger budget and go on with --resume",
  });
}

const order: readonly Token[] = ["FAIL_VISIBLE", "PASS", "OVERFIT", "FAIL_BOTH", "REJECTED"];

/** The token that stands for several candidates of a run. One FAIL_VISIBLE says that no other counts. */
export function bestToken(verdicts: readonly (Token | null)[]): Token | undefined {
  return order.find((token) => verdicts.includes(token));
}

function verdictsOf(records: readonly RecordLine[]): (Token | null)[] {
  return records.flatMap((line) => (line.kind === "record" ? [line.record.verdict] : []));
}
