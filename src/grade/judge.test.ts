import { describe, expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import type { Limits } from "../model/manifest.ts";
import { defaultLimits } from "../model/manifest-schema.ts";
import { oomKills } from "./build-step.ts";
import { judgeRun } from "./judge.ts";
import type { Proof, RunStatus } from "./launch-config.ts";
import type { RunReport } from "./run-test.ts";

type End = NonNullable<RunStatus["end"]>;
const end = (over: Partial<End> = {}): End => ({
  reason: "itself",
  exitCode: 0,
  signal: null,
  cpuMs: 5,
  peakRssKib: 9000,
  peakProcesses: 1,
  ...over,
});
const completed: Proof = { kind: "completed", result: 0, checks: 3n, chain: 7n, leaks: false };
const unit = '#line 1 "=test.cpp"\n#include <cassert>\nint main() {\n  assert(true);\n}\n';
const source = {
  path: "tests/visible.cpp",
  text: "#include <cassert>\nint main() {\n  assert(true);\n}\n",
  unit,
  files: [{ path: "tests/visible.cpp", name: "=test.cpp" }],
};
const target = { limits: defaultLimits as Limits, sources: [source] };

function report(over: {
  end?: End | null;
  proof?: Proof;
  stderr?: string;
  ended?: "itself" | "wall" | "output";
}): RunReport {
  const silent = { text: "", bytes: 0, truncated: false };
  return {
    sandbox: {
      ended: over.ended ?? "itself",
      code: 0,
      signal: null,
      innerCode: 0,
      stdout: silent,
      stderr: { ...silent, text: over.stderr ?? "" },
      read: new Map(),
      wallMs: 20,
    },
    status: { started: true, end: over.end === undefined ? end() : over.end },
    proof: over.proof ?? { kind: "none" },
  };
}
const judge = (over: Parameters<typeof report>[0]) => judgeRun(report(over), target, oomKills());

describe("a run passes", () => {
  test("with exit status 0 and the completion proof, whatever it printed", () => {
    expect(judge({ proof: completed, stderr: "ERROR: AddressSanitizer: made-up\nFAILED\n" }).status).toBe(
      "pass",
    );
  });
});

describe("a run fails", () => {
  test("as early-exit with exit status 0 and no proof, even if it printed PASS", () => {
    expect(judge({ stderr: "PASS\n" })).toMatchObject({ status: "fail", cause: "early-exit" });
  });
  test("with a proof and an exit status that is not 0", () => {
    expect(judge({ proof: completed, end: end({ exitCode: 3 }) })).toMatchObject({ cause: "nonzero-exit" });
  });
  test("when the test returned something else than 0", () => {
    const proof: Proof = { ...completed, result: 2 };
    expect(judge({ proof, end: end({ exitCode: 2 }) })).toMatchObject({ detail: "the test returned 2" });
  });
  test("when the test asserts and not one check was evaluated", () => {
    expect(judge({ proof: { ...completed, checks: 0n } })).toMatchObject({ cause: "early-exit" });
  });
  test("at a check, whose line a maintainer is shown", () => {
    expect(
      judge({ proof: { kind: "check-failed", line: 3, foreign: false }, end: end({ exitCode: 120 }) }),
    ).toMatchObject({
      cause: "assertion",
      detail: "tests/visible.cpp:3: assert(true);",
    });
  });
  test("by its limits, each by its name", () => {
    expect(judge({ end: end({ reason: "memory", exitCode: null, signal: 9 }) })).toMatchObject({
      cause: "memory-limit",
    });
    expect(judge({ end: end({ reason: "wall", exitCode: null, signal: 9 }) })).toMatchObject({
      cause: "timeout",
    });
    expect(judge({ end: end({ exitCode: null, signal: 24, cpuMs: 10_000 }) })).toMatchObject({
      cause: "timeout",
    });
    expect(judge({ ended: "output", end: null })).toMatchObject({ cause: "output-limit" });
    expect(judge({ end: end({ exitCode: null, signal: 25 }) })).toMatchObject({ cause: "output-limit" });
    expect(judge({ end: end({ exitCode: 1, peakProcesses: 32 }) })).toMatchObject({ cause: "process-limit" });
  });
  test("by a sanitizer only where exit status and report agree", () => {
    const stderr = "==3==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n";
    expect(judge({ stderr, end: end({ exitCode: 77 }) })).toMatchObject({ cause: "asan" });
    expect(judge({ stderr, end: end({ exitCode: 5 }) })).toMatchObject({ cause: "nonzero-exit" });
  });
  test("by a signal that it got", () => {
    expect(judge({ end: end({ exitCode: null, signal: 11 }) })).toMatchObject({
      cause: "signal",
      detail: "killed by signal 11 (SIGSEGV)",
    });
  });
  test("when candidate and test can't be loaded together", () => {
    const proof: Proof = { kind: "load-failed", message: "/c/candidate.so: undefined symbol: _Z3foov" };
    expect(judge({ proof, end: end({ exitCode: 121 }) })).toMatchObject({
      cause: "link-error",
      detail: "undefined reference to _Z3foov",
    });
  });
});

describe("a fault of the machine is thrown and never a verdict", () => {
  const exitOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error instanceof GraderError ? error.exit : error;
    }
    return "no error";
  };
  test("when nothing started", () => {
    const silent = { ...report({}), status: { started: false, end: null } };
    expect(exitOf(() => judgeRun(silent, target, oomKills()))).toBe(69);
  });
  test("when the run was kept from the processor", () => {
    expect(exitOf(() => judge({ end: end({ reason: "starved", exitCode: null, signal: 9 }) }))).toBe(75);
    expect(exitOf(() => judge({ ended: "wall", end: null }))).toBe(75);
  });
  test("when the machine ran out of memory meanwhile", () => {
    expect(exitOf(() => judgeRun(report({ end: null }), target, oomKills() - 1))).toBe(75);
  });
});
