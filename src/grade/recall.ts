/** Patches that were graded before are answered from their record: no compile, no run. */
import { type GradeRecord, recordSchema } from "../model/record.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import type { AppliedSources, RecordDraft } from "./record-draft.ts";

/** Raised with every change of what makes a verdict, so that no older answer is given again. */
const judgementEpoch = "4";

type Applied = Extract<AppliedSources, { status: "applied" }>;

/** The record of the same sources under the same task, compiler, program and options; null when there is none. */
export function recallRecord(
  context: GradeContext,
  draft: RecordDraft,
  applied: Applied,
): GradeRecord | null {
  if (!context.reuseRecords || draft.seed !== undefined) return null;
  const known = recordSchema.safeParse(context.cache.readJson("record", keyOf(context, draft, applied)));
  if (!known.success) return null;
  return {
    ...known.data,
    ...draft.base,
    patch: { ...draft.base.patch, files: [...applied.files] },
    notes: applied.notes.map((n) => ({ ...n })),
    dropped: applied.dropped.map(({ file, reason }) => ({ file, message: reason })),
    durationMs: Math.round(performance.now() - draft.started),
    cached: true,
  };
}

/** Keeps a record whose verdict will be the same next time: not one without a verdict, flaky or seeded. */
export function rememberRecord(
  context: GradeContext,
  draft: RecordDraft,
  applied: Applied,
  record: GradeRecord,
): void {
  const outcomes = Object.values(record.layers);
  const settled =
    record.verdict !== null &&
    outcomes.every((o) => o?.status !== "error") &&
    outcomes.every((o) => o?.status !== "fail" || !["flaky", "timeout"].includes(o.cause));
  if (settled && draft.seed === undefined)
    context.cache.writeJson("record", keyOf(context, draft, applied), record);
}

function keyOf(context: GradeContext, draft: RecordDraft, applied: Applied): string {
  const { environment } = draft.base;
  const files = [...applied.tree].sort(([a], [b]) => (a < b ? -1 : 1)).flat();
  const options = [
    judgementEpoch,
    environment.pipeline,
    environment.grader,
    String(draft.options.final ?? false),
  ];
  return digestOf(context.task.digest, context.toolchain.digest, ...options, ...files);
}
