import { expect, test } from "vitest";
import { type CandidateEnd, decodeProof, decodeStatus, type Proof } from "../launch-config.ts";
import type { RunReport } from "../run-test.ts";
import { siphash } from "../siphash.ts";
import { blameCandidate } from "./blame.ts";

const done: Proof = { kind: "completed", result: 0, checks: 3n, chain: 5n, leaks: false };
const gone: Proof = { kind: "remote-failed", why: "ended" };
const well: CandidateEnd = { order: "in-turn", work: "clean", exitCode: 0, signal: null };

function report(proof: Proof, candidate?: CandidateEnd): RunReport {
  const printed = { text: "", bytes: 0, truncated: false };
  const end = {
    reason: "itself" as const,
    exitCode: 0,
    signal: null,
    cpuMs: 1,
    peakRssKib: 1,
    peakProcesses: 1,
    ...(candidate === undefined ? {} : { candidate }),
  };
  const sandbox = { stdout: printed, stderr: printed, read: new Map() } as unknown as RunReport["sandbox"];
  return { sandbox, status: { started: true, end }, proof };
}

function judged(proof: Proof, candidate: CandidateEnd): string {
  const { proof: after, status } = blameCandidate(report(proof, candidate));
  const leaks = after.kind === "completed" ? ` leaks=${after.leaks}` : "";
  return `${after.kind} exit=${status.end?.exitCode} signal=${status.end?.signal}${leaks}`;
}

test.each<[string, Proof, CandidateEnd, string]>([
  ["both ended well", done, well, "completed exit=0 signal=null leaks=false"],
  ["the candidate leaked", done, { ...well, work: "leaked" }, "completed exit=0 signal=null leaks=true"],
  ["it left before the last call", done, { ...well, order: "early" }, "none exit=0 signal=null"],
  [
    "it left with status 0 and its work undone",
    done,
    { ...well, work: "unfinished" },
    "none exit=0 signal=null",
  ],
  ["a static destructor failed", done, { ...well, exitCode: 77 }, "none exit=77 signal=null"],
  [
    "it crashed",
    gone,
    { order: "early", work: "unfinished", exitCode: null, signal: 11 },
    "none exit=null signal=11",
  ],
  [
    "a check failed first",
    { kind: "check-failed", line: 3, foreign: false },
    { order: "last", work: "unfinished", exitCode: null, signal: 9 },
    "check-failed exit=0 signal=null",
  ],
  [
    "the test left by itself",
    { kind: "none" },
    { order: "last", work: "unfinished", exitCode: null, signal: 9 },
    "none exit=0 signal=null",
  ],
  [
    "it sent nonsense",
    { kind: "remote-failed", why: "malformed" },
    { order: "last", work: "unfinished", exitCode: null, signal: 9 },
    "remote-failed exit=0 signal=null",
  ],
  [
    "it could not be loaded",
    { kind: "load-failed", message: "undefined symbol: f" },
    { order: "early", work: "unfinished", exitCode: 121, signal: null },
    "load-failed exit=0 signal=null",
  ],
])("%s", (_, proof, candidate, expected) => {
  expect(judged(proof, candidate)).toBe(expected);
});

test("a run in one process is left as it is", () => {
  const one = report(done);
  expect(blameCandidate(one)).toBe(one);
});

test("the supervisor's record of the second process is read, and its absence too", () => {
  const first = Buffer.alloc(27);
  first.write("SX");
  const second = Buffer.from([0x43, 2, 1, 0, 77, 0, 0]);
  expect(decodeStatus(first).end?.candidate).toBeUndefined();
  expect(decodeStatus(Buffer.concat([first, second])).end?.candidate).toEqual({
    work: "leaked",
    order: "in-turn",
    exitCode: 77,
    signal: null,
  });
});

test("what either process says after a load failure doesn't become part of the message", () => {
  const key = Buffer.alloc(16);
  const failure = Buffer.from("L\u000e\0no such symbol");
  const mac = Buffer.alloc(8);
  mac.writeBigUInt64LE(siphash(key, failure));
  expect(decodeProof(Buffer.concat([failure, mac, Buffer.from("R\0")]), key)).toEqual({
    kind: "load-failed",
    message: "no such symbol",
  });
  expect(decodeProof(Buffer.from("R\u0001"), Buffer.alloc(16))).toEqual({
    kind: "remote-failed",
    why: "malformed",
  });
});
