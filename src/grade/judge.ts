/** One run → pass, fail with a cause, or a fault of the machine that is thrown. */
import { constants } from "node:os";
import { GraderError } from "../model/errors.ts";
import type { FailCause, Finding } from "../model/outcome.ts";
import type { Target } from "../model/task.ts";
import { oomKills, sandboxFault } from "./build-step.ts";
import { readReport } from "./findings.ts";
import { blameCandidate } from "./isolation/blame.ts";
import type { Proof } from "./launch-config.ts";
import { type RunReport, sanitizerExit } from "./run-test.ts";

/** What one run came to. */
export type RunVerdict = PassedRun | RunFailure;

export interface PassedRun {
  readonly status: "pass";
  readonly cpuMs: number;
  readonly checks: bigint;
  readonly chain: bigint;
  /** Null where nobody looked for leaks. */
  readonly leak: Finding | false | null;
}

export interface RunFailure {
  readonly status: "fail";
  readonly cause: FailCause;
  readonly detail: string;
  readonly findings: readonly Finding[];
  readonly cpuMs: number;
}

/**
 * Judges one run. Pass needs exit status 0 and the completion proof; what was printed never decides.
 *
 * @throws GraderError 69 or 75 when the sandbox failed, or the machine gave no CPU time or memory.
 */
export function judgeRun(
  given: RunReport,
  target: Pick<Target, "limits" | "sources">,
  oomBefore: number,
): RunVerdict {
  const report = blameCandidate(given);
  const { sandbox, status, proof } = report;
  // Nothing of the candidate has run before the launcher says that it started.
  if (!status.started) throw sandboxFault(sandbox.stderr.text);
  if (sandbox.ended === "output")
    return fail(report, "output-limit", `printed more than ${target.limits.outputKiB} KiB`);
  if (oomKills() > oomBefore && status.end?.reason !== "memory")
    throw new GraderError(75, "the machine ran out of memory during a run", {
      hint: "free memory, or lower --jobs",
    });
  if (proof.kind === "gate-failed") throw sandboxFault("the second filter could not be set");
  if (status.end === null) return withoutEnd(report);
  const limit = limitFailure(report, target);
  if (limit) return limit;
  if (proof.kind === "load-failed") return loadFailure(report, proof.message);
  if (proof.kind === "check-failed") return fail(report, "assertion", checkDetail(proof, target));
  if (proof.kind === "remote-failed") return remoteFailure(report, proof.why);
  const verdict = judgeEnd(report, proof);
  if (verdict.status === "pass" && verdict.checks === 0n && usesAssert(target))
    return fail(report, "early-exit", "the test returned without evaluating one of its checks");
  return verdict;
}

/** Killed from outside together with its supervisor, whom no candidate can reach. */
function withoutEnd(report: RunReport): RunVerdict {
  if (report.sandbox.ended === "wall")
    throw new GraderError(75, "the machine gave a run no CPU time", {
      hint: "try again on a less busy machine",
    });
  return fail(report, "early-exit", "the run took its supervisor down");
}

function limitFailure(report: RunReport, target: Pick<Target, "limits">): RunFailure | undefined {
  const { limits } = target;
  const end = report.status.end;
  if (end === null) return undefined;
  if (end.reason === "starved")
    throw new GraderError(75, "the machine gave a run too little CPU time", {
      hint: "try again on a less busy machine",
    });
  if (end.reason === "memory") return fail(report, "memory-limit", `used more than ${limits.memoryMiB} MiB`);
  if (end.reason === "wall") return fail(report, "timeout", `still waiting after ${limits.wallSeconds} s`);
  // The kernel counts in ticks, so that a run is killed a little before or after its limit.
  const outOfTime =
    end.signal === constants.signals.SIGXCPU ||
    (end.signal === constants.signals.SIGKILL && end.cpuMs >= limits.cpuSeconds * 800);
  if (end.reason === "cpu" || outOfTime)
    return fail(report, "timeout", `used ${limits.cpuSeconds} s of CPU time`);
  if (end.signal === constants.signals.SIGXFSZ)
    return fail(report, "output-limit", `wrote a file past ${limits.diskMiB} MiB`);
  if (end.peakProcesses >= limits.processes && end.exitCode !== 0)
    return fail(report, "process-limit", `started ${limits.processes} processes`);
  return undefined;
}

/** The text comes from the loader, but its reason may be the candidate's doing: it never makes an error. */
function loadFailure(report: RunReport, message: string): RunVerdict {
  const symbol = /undefined symbol: (\S+)/.exec(message)?.[1];
  return fail(report, "link-error", symbol ? `undefined reference to ${symbol}` : message.slice(0, 300));
}

/** The candidate's own process was still there, and yet the test could not go on. */
function remoteFailure(report: RunReport, why: "ended" | "malformed" | "too-long"): RunVerdict {
  if (why === "too-long")
    return fail(report, "nonzero-exit", "a call's arguments came to more than half a MiB");
  return fail(report, "tampering", "the candidate's process sent what no honest answer could be");
}

function checkDetail(
  proof: Extract<Proof, { kind: "check-failed" }>,
  target: Pick<Target, "sources">,
): string {
  if (proof.foreign) return `an assertion of the candidate failed at its line ${proof.line}`;
  const [only, ...others] = target.sources;
  if (!only || others.length > 0 || only.files.length > 1) return `a check at line ${proof.line} failed`;
  const text = only.text.split("\n")[proof.line - 1]?.trim().slice(0, 160);
  return `${only.path}:${proof.line}: ${text ?? "a check failed"}`;
}

function judgeEnd(report: RunReport, proof: Proof): RunVerdict {
  const end = report.status.end;
  const printed = report.sandbox.stderr.text;
  if (proof.kind === "completed" && proof.result === 0 && end?.exitCode === 0) {
    const leak = proof.leaks === true ? leakFinding(printed) : proof.leaks === null ? null : (false as const);
    return { status: "pass", cpuMs: end.cpuMs, checks: proof.checks, chain: proof.chain, leak };
  }
  if (end?.exitCode === 0)
    return fail(report, "early-exit", "ended with status 0 before the test had returned");
  const said = readReport(printed);
  const code = end?.exitCode;
  if (
    said &&
    said.cause !== "leak" &&
    code !== null &&
    Object.values(sanitizerExit).some((known) => known === code)
  )
    return { ...fail(report, said.cause, describe(said.finding)), findings: [said.finding] };
  if (end?.signal === constants.signals.SIGABRT && /Assertion .* failed/.test(printed))
    return fail(report, "assertion", "an assertion of the candidate failed");
  if (end?.signal)
    return fail(report, "signal", `killed by signal ${end.signal} (${signalName(end.signal)})`);
  const returned =
    proof.kind === "completed" ? `the test returned ${proof.result}` : `ended with status ${code}`;
  return fail(report, "nonzero-exit", returned);
}

/** Whether the test's own text asserts anything; an oracle with a check macro of its own may not. */
function usesAssert(target: Pick<Target, "sources">): boolean {
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, " ");
  return target.sources.some(({ unit }) => /\bassert\s*\(/.test(code(unit)));
}

function leakFinding(printed: string): Finding {
  const report = readReport(printed);
  return report?.cause === "leak"
    ? report.finding
    : { kind: "memory-leak", message: "memory is never freed" };
}

/** `heap-buffer-overflow at src/a.cpp:8 (WRITE of size 4)`. */
export function describe(finding: Finding): string {
  const place = finding.file === undefined ? "" : ` at ${finding.file}:${finding.line}`;
  return `${finding.kind}${place}${finding.message === undefined ? "" : ` (${finding.message})`}`;
}

function signalName(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? "unknown";
}

function fail(report: RunReport, cause: FailCause, detail: string): RunFailure {
  return { status: "fail", cause, detail, findings: [], cpuMs: report.status.end?.cpuMs ?? 0 };
}
