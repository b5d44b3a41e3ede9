/** Judges patches for a reader who must not learn of the hidden layer: graded, redacted, counted, remembered. */
import { ExitCode, GraderError } from "../model/errors.ts";
import { isQuery, type Ledger, type Lineage, labelBits } from "../model/ledger.ts";
import { normalisePatchedSources } from "../model/normalise.ts";
import type { GradeRecord } from "../model/record.ts";
import { type AgentReport, redact } from "../model/redact.ts";
import type { AgentJudge, Shown } from "../model/shown.ts";
import type { GradeContext } from "./context.ts";
import { grade } from "./grade.ts";
import { applyToTask } from "./recorded.ts";

/** What a judge of one run is made of. */
export interface AgentJudgeOptions {
  readonly context: GradeContext;
  readonly ledger: Ledger;
  /** Who asks, for the ledger: `loop`, `mcp`. */
  readonly caller: string;
  readonly lineage: Lineage;
  /** Labels that the run may learn. */
  readonly budget: number;
  /** Answers of an earlier part of the run, by digest of the patched sources. */
  readonly known?: Iterable<readonly [string, AgentReport]>;
  /** Takes the full records, for the maintainer's eyes. */
  readonly onRecord?: (record: GradeRecord, isFinal: boolean) => void;
}

/** One patch at a time, so that no two share the last label of a budget. */
export function openAgentJudge(options: AgentJudgeOptions): AgentJudge {
  const { context, ledger, lineage, budget } = options;
  const known = new Map(options.known);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const counted = () => ledger.count(context.task.oracleDigest, lineage.run);
  return {
    judge: (patch) => inTurn(() => judgeOne(options, known, patch)),
    final: (patch) => inTurn(() => judgeFinal(options, patch)),
    labels: () => ({ given: counted().run, all: counted().all, budget }),
  };
}

async function judgeOne(
  options: AgentJudgeOptions,
  known: Map<string, AgentReport>,
  patch: string,
): Promise<Shown | null> {
  const { context, ledger, lineage, budget } = options;
  const bytes = Buffer.from(patch);
  const applied = applyToTask(context.task, bytes);
  const sources = applied.status === "applied" ? normalisePatchedSources(applied.tree) : null;
  const before = sources === null ? undefined : known.get(sources);
  if (before !== undefined) return { report: before, sources, repeated: true, stop: false };
  if (sources !== null && ledger.count(context.task.oracleDigest, lineage.run).run >= budget) return null;
  const record = await grade(context, { kind: "patch", bytes });
  const report = redact(record);
  options.onRecord?.(record, false);
  if (report === null) throw notJudged(record);
  enter(options, report, sources ?? record.patch.digest);
  if (sources !== null) known.set(sources, report);
  return { report, sources, repeated: false, stop: record.verdict === "FAIL_VISIBLE" };
}

/** Written down before it is told: a label without its entry would be free. */
function enter(
  { context, ledger, caller, lineage }: AgentJudgeOptions,
  report: AgentReport,
  patch: string,
): void {
  if (!isQuery(report.word)) return;
  ledger.append({
    at: new Date().toISOString(),
    caller,
    oracle: context.task.oracleDigest,
    ...lineage,
    patch,
    label: report.word,
    bits: labelBits(report.word),
  });
}

async function judgeFinal({ context, onRecord }: AgentJudgeOptions, patch: string): Promise<boolean> {
  if (context.task.layers.reserve.length === 0) return true;
  const record = await grade(context, { kind: "patch", bytes: Buffer.from(patch) }, { final: true });
  onRecord?.(record, true);
  if (record.verdict === null) throw notJudged(record);
  return record.verdict === "PASS";
}

function notJudged(record: GradeRecord): GraderError {
  const layer = Object.values(record.layers).find((each) => each?.status === "error");
  return new GraderError(
    ExitCode.tryAgain,
    `a patch could not be judged · ${layer?.detail ?? "no verdict"}`,
    {
      hint: "go on with --resume when the machine is well again",
    },
  );
}
