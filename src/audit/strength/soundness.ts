/** The other half of strength: what is known to be right must pass, or the oracle asks for more than the contract. */

import type { GradeContext } from "../../grade/context.ts";
import { grade } from "../../grade/grade.ts";
import type { SoundnessCheck } from "../../model/strength.ts";
import type { RecordedPatch } from "../../model/task.ts";

/** Grades the reference and every alternative. */
export async function checkSoundness(context: GradeContext): Promise<SoundnessCheck[]> {
  const { reference, alternatives } = context.task;
  const recorded = [
    ...(reference === undefined ? [] : [{ patch: reference, role: "reference" as const }]),
    ...alternatives.map((patch) => ({ patch, role: "alternative" as const })),
  ];
  return Promise.all(recorded.map(({ patch, role }) => checkOne(context, patch, role)));
}

async function checkOne(
  context: GradeContext,
  patch: RecordedPatch,
  role: SoundnessCheck["role"],
): Promise<SoundnessCheck> {
  const bytes = Buffer.from(patch.bytes, "latin1");
  const record = await grade(context, { kind: "patch", bytes, path: patch.path });
  const failed = Object.entries(record.layers).find(([, layer]) => layer?.status === "fail");
  const [name, layer] = failed ?? [];
  const why = layer?.status === "fail" ? `${name}: ${layer.cause}` : record.reason;
  return { patch: patch.path, role, verdict: record.verdict, ...(why === undefined ? {} : { why }) };
}
