/** Runs many variants of one candidate that was built with all of them, one after the other, in one sandbox. */
import { randomBytes } from "node:crypto";
import type { Machine } from "../sandbox/machine.ts";
import type { SandboxResult } from "../sandbox/sandbox.ts";
import { sandboxFault } from "./build-step.ts";
import { decodeProof, decodeStatus, proofLength } from "./launch-config.ts";
import { launch, type RunInputs, type RunReport, voicesOf } from "./run-test.ts";

/** Numbers of variants, each in a process of its own, and the CPU time that each may take. */
export interface VariantRuns {
  readonly numbers: readonly number[];
  readonly cpuMs: number;
}

/** What became of them. */
export interface ManyReports {
  /** By number. One that isn't there was not run to its end, because something took the whole sandbox down. */
  readonly runs: ReadonlyMap<number, RunReport>;
  readonly ended: SandboxResult["ended"];
}

/**
 * Runs the variants in order. What runs print is one stream and belongs to none of them, so that causes are told
 * from exit statuses alone.
 *
 * @throws GraderError 69 or 75 when the sandbox failed.
 */
export async function runMany(
  machine: Machine,
  inputs: RunInputs,
  { numbers, cpuMs }: VariantRuns,
): Promise<ManyReports> {
  const key = randomBytes(16);
  const list = [Math.ceil(cpuMs), ...numbers].join(" ");
  const sandbox = await launch(machine, inputs, key, { list, count: numbers.length });
  return { runs: readRuns(sandbox, key), ended: sandbox.ended };
}

const markBytes = 5;
const endBytes = 26;

/** Takes both streams apart; see `run_many` in `native/launcher.c`. */
function readRuns(sandbox: SandboxResult, key: Buffer): Map<number, RunReport> {
  const [proofs, ends] = voicesOf(sandbox);
  if (!decodeStatus(ends).started) throw sandboxFault(sandbox.stderr.text);
  const silent = { ...sandbox, stderr: { ...sandbox.stderr, text: "" } };
  const reports = new Map<number, RunReport>();
  let cpuBefore = 0;
  let end = 1;
  for (let at = 0; proofs[at] === 0x4e && end + endBytes <= ends.length; end += endBytes) {
    const number = proofs.readInt32LE(at + 1);
    const rest = proofs.subarray(at + markBytes);
    const proof = decodeProof(rest.subarray(0, proofLength(rest)), key);
    const status = decodeStatus(Buffer.concat([ends.subarray(0, 1), ends.subarray(end, end + endBytes)]));
    at += markBytes + proofLength(rest);
    if (status.end === null) break;
    // The supervisor counts all processes that it has waited for so far.
    const cpuMs = status.end.cpuMs - cpuBefore;
    cpuBefore = status.end.cpuMs;
    reports.set(number, { sandbox: silent, status: { ...status, end: { ...status.end, cpuMs } }, proof });
  }
  return reports;
}
