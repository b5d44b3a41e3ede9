/** Can this harness fail at all, and does it tell right from wrong? Grades what is recorded, several times. */
import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import type { GradeContext } from "../../grade/context.ts";
import { grade } from "../../grade/grade.ts";
import { type Measured, measureSources, ordinaryLayers } from "../../grade/measure.ts";
import { measureProof } from "../../grade/proof-policy.ts";
import { recordedTree } from "../../grade/recorded.ts";
import type { Candidate } from "../../grade/request.ts";
import { bindingOf, type Certificate, proofDigestOf, type SaltedProof } from "../../model/certificate.ts";
import { GraderError } from "../../model/errors.ts";
import type { ExpectedPatch, Target } from "../../model/task.ts";
import type { Token } from "../../model/verdict.ts";
import { baselineName, type CalibrationFinding, type CalibrationRow } from "./calibration.ts";
import { runCanaries } from "./canaries.ts";
import { judgeRows } from "./judge-rows.ts";
import { isTaskLeakFree, judgeReserve, judgeTargets } from "./judge-targets.ts";
import { silentTargets } from "./silent-targets.ts";

/** How to calibrate. */
export interface CalibrateOptions {
  /** How often each patch is graded. */
  readonly repeats: number;
  /** Called when a patch has been graded for the last time. */
  readonly onRow?: () => void;
}

/** What came of it; with a certificate where nothing was found. */
export interface Calibration {
  readonly rows: readonly CalibrationRow[];
  readonly findings: readonly CalibrationFinding[];
  readonly certificate: Certificate | null;
}

/**
 * Grades the baseline and every recorded patch, runs the canaries, and measures the reference.
 *
 * @throws GraderError where the task can't be judged at all, or the machine can't judge.
 */
export async function calibrate(given: GradeContext, options: CalibrateOptions): Promise<Calibration> {
  // An older certificate must not vouch for itself, nor an older record for today.
  const context: GradeContext = {
    ...given,
    calibration: { status: "missing" },
    reuseRecords: false,
  };
  const { task } = context;
  const rows = await gradeRows(context, options);
  const right = await measureReference(context);
  const findings = [
    ...judgeRows(rows),
    ...judgeReserve(task, right),
    ...judgeTargets(task, right, await silentTargets(context, right)),
    ...(await runCanaries(context)),
  ];
  if (findings.length > 0) return { rows, findings, certificate: null };
  return { rows, findings, certificate: await certify(context, rows, right, options.repeats) };
}

async function gradeRows(context: GradeContext, options: CalibrateOptions): Promise<CalibrationRow[]> {
  const { task, machine } = context;
  const limit = pLimit(machine.jobs + 1);
  const baseline = { path: baselineName, expected: "FAIL_BOTH" as const };
  const all: (Omit<ExpectedPatch, "bytes"> & { bytes?: string })[] = [baseline, ...task.recorded];
  const graded = all.map(({ path, bytes, expected }) =>
    limit(async () => {
      const candidate: Candidate =
        bytes === undefined
          ? { kind: "sources", files: task.sources }
          : { kind: "patch", bytes: Buffer.from(bytes, "latin1") };
      const row = await gradeRow(context, candidate, path, expected, options.repeats);
      options.onRow?.();
      return row;
    }),
  );
  return Promise.all(graded);
}

async function gradeRow(
  context: GradeContext,
  candidate: Candidate,
  patch: string,
  expected: Token,
  repeats: number,
): Promise<CalibrationRow> {
  const verdicts: Token[] = [];
  let layers: CalibrationRow["layers"] = {};
  for (let time = 0; time < repeats; time++) {
    const record = await grade(context, candidate);
    if (record.verdict === null)
      throw new GraderError(75, `could not judge ${patch}`, { hint: "try again on a less busy machine" });
    if (time === 0) layers = record.layers as CalibrationRow["layers"];
    verdicts.push(record.verdict);
    // Refused for what it is, before anything ran: that does not change.
    if (record.verdict === "REJECTED") break;
  }
  return { patch, expected, verdicts, layers };
}

/** The reference under all layers, the reserve one too; null without a reference. */
async function measureReference(context: GradeContext): Promise<Measured | null> {
  const { task } = context;
  if (!task.reference) return null;
  const tree = recordedTree(task, task.reference);
  const ordinary = await measureSources(context, tree);
  if (task.layers.reserve.length === 0) return ordinary;
  const reserve = await measureSources(context, tree, ["reserve"]);
  return {
    outcomes: { ...ordinary.outcomes, ...reserve.outcomes },
    proofs: { ...ordinary.proofs, ...reserve.proofs },
    cpuMs: { ...ordinary.cpuMs, ...reserve.cpuMs },
  };
}

async function certify(
  context: GradeContext,
  rows: readonly CalibrationRow[],
  right: Measured | null,
  repeats: number,
): Promise<Certificate> {
  const { task, toolchain } = context;
  const model = right ?? (await measureSources(context, task.sources, ordinaryLayers));
  const targets = Object.values(task.layers).flat();
  const proofs = await Promise.all(
    targets.map(async (t) => [t.name, await saltedProof(context, t)] as const),
  );
  return {
    schemaVersion: 1,
    ...bindingOf(task, toolchain.version),
    calibratedAt: new Date().toISOString(),
    repeats,
    verdicts: Object.fromEntries(
      rows.flatMap(({ patch, verdicts: [first] }) => (first ? [[patch, first]] : [])),
    ),
    leakFree: isTaskLeakFree([model]),
    quick: targets.filter((target) => isQuick(target, model)).map(({ name }) => name),
    proofs: Object.fromEntries(proofs),
  };
}

function isQuick({ name, limits }: Target, { cpuMs }: Measured): boolean {
  const needed = cpuMs[name];
  return needed !== undefined && needed * 20 < limits.cpuSeconds * 1000;
}

async function saltedProof(context: GradeContext, target: Target): Promise<SaltedProof | null> {
  const proof = await measureProof(context, target);
  if (proof === null) return null;
  const salt = randomBytes(16).toString("hex");
  const run = { checks: BigInt(proof.checks), chain: BigInt(proof.chain) };
  return { salt, digest: proofDigestOf(salt, run) };
}
