/** Judges patches for a reader who must not learn of the hidden layer: graded, redacted, counted, remembered. */
import { ExitCode, GraderError } from "../model/errors.ts";
import { isQuery, type LabelCount, type Ledger, type Lineage, labelBits } from "../model/ledger.ts";
import { normalisePatchedSources } from "../model/normalise.ts";
import type { GradeRecord } from "../model/record.ts";
import { type AgentReport, redact } from "../model/redact.ts";
import type { AgentJudge, Shown } from "../model/shown.ts";
import { sha256 } from "../model/task.ts";
import type { GradeContext } from "./context.ts";
import { grade } from "./grade.ts";
import { applyToTask } from "./recorded.ts";

/** A record, and whether the reserve layer was asked for it. */
export interface Judgement {
  readonly final: boolean;
  readonly record: GradeRecord;
}

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
  /** What an earlier part of the run judged, told or not: a patch is not judged twice, nor the reserve asked again. */
  readonly judged?: readonly Judgement[];
  /** Runs its work while no other process judges for the same run, so that two don't share the last label. */
  readonly alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Takes the full records, for the maintainer's eyes. */
  readonly onRecord?: (record: GradeRecord, isFinal: boolean) => void;
}

/** One patch at a time, so that no two share the last label of a budget. */
export function openAgentJudge(options: AgentJudgeOptions): AgentJudge {
  const { budget, alone = (work) => work() } = options;
  const known = new Map(options.known);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(() => alone(work));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    judge: (patch) => inTurn(() => judgeOne(options, known, patch)),
    final: (patch) => inTurn(() => judgeFinal(options, patch)),
    labels: () => {
      const { run: given, all } = countOf(options);
      return { given, budget, all };
    },
  };
}

async function judgeOne(
  options: AgentJudgeOptions,
  known: Map<string, AgentReport>,
  patch: string,
): Promise<Shown | null> {
  const { context } = options;
  const bytes = Buffer.from(patch);
  const applied = applyToTask(context.task, bytes);
  const sources = applied.status === "applied" ? normalisePatchedSources(applied.tree) : null;
  const before = sources === null ? undefined : known.get(sources);
  if (before !== undefined) return { report: before, sources, repeated: true, stop: false };
  const told = sources === null ? undefined : toldBefore(options, sources);
  const kept = recordOf(options, bytes, false);
  if (told !== undefined && kept === undefined) return { report: told, sources, repeated: true, stop: false };
  if (sources !== null && told === undefined && countOf(options).run >= options.budget) return null;
  const record = kept ?? (await grade(context, { kind: "patch", bytes }));
  const report = redact(record);
  if (kept === undefined) options.onRecord?.(record, false);
  if (report === null) throw notJudged(record);
  enter(options, report, sources ?? record.patch.digest);
  if (sources !== null) known.set(sources, report);
  return { report, sources, repeated: false, stop: record.verdict === "FAIL_VISIBLE" };
}

function recordOf({ judged }: AgentJudgeOptions, patch: Buffer, isFinal: boolean): GradeRecord | undefined {
  const digest = sha256(patch.toString("latin1"));
  return judged?.find(
    ({ final, record }) => final === isFinal && record.patch.digest === digest && record.verdict !== null,
  )?.record;
}

function countOf({ context, ledger, lineage }: AgentJudgeOptions): LabelCount {
  return ledger.count(context.task.oracleDigest, lineage.run);
}

/** By another process or session of the same run, or by this one before it broke off. The ledger keeps words alone. */
function toldBefore(
  { context, ledger, lineage }: AgentJudgeOptions,
  sources: string,
): AgentReport | undefined {
  const told = ledger.answers(context.task.oracleDigest, lineage).find(([patch]) => patch === sources);
  return told && { word: told[1], exit: 0, lines: [] };
}

/** Written down before it is told, and once: a label without its entry would be free. */
function enter(options: AgentJudgeOptions, report: AgentReport, patch: string): void {
  const { context, ledger, caller, lineage } = options;
  if (!isQuery(report.word) || toldBefore(options, patch) !== undefined) return;
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

async function judgeFinal(options: AgentJudgeOptions, patch: string): Promise<boolean> {
  const { context, onRecord } = options;
  if (context.task.layers.reserve.length === 0) return true;
  const bytes = Buffer.from(patch);
  const kept = recordOf(options, bytes, true);
  const record = kept ?? (await grade(context, { kind: "patch", bytes }, { final: true }));
  if (kept === undefined) onRecord?.(record, true);
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
