/** The certificate beside a manifest: read, held against the task, and written. */
import { basename, dirname, join } from "node:path";
import { bindingOf, type Certificate, certificateSchema, stalenessOf } from "../model/certificate.ts";
import { GraderError } from "../model/errors.ts";
import { decoded } from "../model/patch-diff.ts";
import type { Task } from "../model/task.ts";
import { readRegular, writeWhole } from "./files.ts";

/** Whether a task was calibrated as it is now. `why` says what is wrong with the certificate that is there. */
export type CalibrationState =
  | { readonly status: "fresh"; readonly certificate: Certificate }
  | { readonly status: "missing" }
  | { readonly status: "stale"; readonly why: string };

/** `manifest.certificate.json` for `manifest.json`. */
export function certificatePath({ manifestPath }: Pick<Task, "manifestPath">): string {
  return join(dirname(manifestPath), `${basename(manifestPath, ".json")}.certificate.json`);
}

/**
 * Reads the certificate. What is wrong with the file is in the answer: a grade can do without it.
 *
 * @param compiler First line of its `--version`; without it, which compiler it was made with does not matter.
 */
export function readCalibration(task: Task, compiler?: string): CalibrationState {
  const read = readRegular(certificatePath(task));
  if ("fault" in read)
    return read.isMissing ? { status: "missing" } : { status: "stale", why: `its file ${read.fault}` };
  const parsed = parse(decoded(read.bytes));
  if (parsed === undefined) return { status: "stale", why: "its file can't be read" };
  const why = stalenessOf(parsed, bindingOf(task, compiler ?? parsed.compiler));
  return why === null ? { status: "fresh", certificate: parsed } : { status: "stale", why };
}

/** @throws GraderError 66 when the file can't be written. */
export function writeCertificate(task: Task, certificate: Certificate): string {
  const path = certificatePath(task);
  writeWhole(path, `${JSON.stringify(certificate, null, 2)}\n`);
  return path;
}

/** @throws GraderError 65 unless the task is calibrated as it is. */
export function assertCalibrated(state: CalibrationState): void {
  if (state.status === "fresh") return;
  throw new GraderError(65, `the task is not calibrated · ${describeCalibration(state)}`, {
    hint: "run `hidden-oracle calibrate`, or leave out --require-calibrated",
  });
}

/** One line for a maintainer; empty where there is nothing to say. */
export function describeCalibration(state: CalibrationState): string {
  if (state.status === "fresh") return "";
  return state.status === "missing" ? "it has no certificate" : `its certificate is stale: ${state.why}`;
}

function parse(text: string): Certificate | undefined {
  try {
    return certificateSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
