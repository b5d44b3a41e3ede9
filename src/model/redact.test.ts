import { describe, expect, test } from "vitest";
import { GraderError } from "./errors.ts";
import { failCauses } from "./outcome.ts";
import type { RecordedLayer } from "./record.ts";
import { agentWords, redact, redactFault } from "./redact.ts";
import { rejectReasons, tokenOf } from "./verdict.ts";

const secret = "oracles/hidden.cpp:7: assert(secret)";
const measured = { durationMs: 1, cpuMs: 1 };
const visibles: RecordedLayer[] = [
  { status: "pass", ...measured },
  ...failCauses.map((cause) => ({ status: "fail" as const, cause, detail: `shown ${cause}`, ...measured })),
];
const hiddens: RecordedLayer[] = [
  { status: "pass", detail: secret, ...measured },
  ...failCauses.map((cause) => ({
    status: "fail" as const,
    cause,
    detail: secret,
    findings: [{ kind: "x", message: secret }],
    ...measured,
  })),
];
const every = visibles.flatMap((visible) => hiddens.map((hidden) => ({ visible, hidden })));
const judged = (layers: { visible: RecordedLayer; hidden: RecordedLayer }) =>
  redact({
    verdict: tokenOf(layers.visible as never, layers.hidden as never),
    layers,
  } as never);

describe("redact", () => {
  test("says nothing that comes from the hidden layer, whatever both layers came to", () => {
    for (const layers of every) {
      const report = judged(layers);
      expect(agentWords).toContain(report?.word);
      expect(JSON.stringify(report)).not.toContain("hidden");
      expect(JSON.stringify(report)).not.toContain("secret");
    }
  });

  test("says the same for a patch that fails the shown tests, whatever the hidden ones say", () => {
    for (const visible of visibles.slice(1)) {
      const reports = hiddens.map((hidden) => JSON.stringify(judged({ visible, hidden })));
      expect(new Set(reports).size).toBe(1);
    }
  });

  test("gives no line with overfit and pass, and the same line for every way to overfit", () => {
    for (const { visible, hidden } of every.filter((layers) => layers.visible.status === "pass")) {
      const report = judged({ visible, hidden });
      expect(report).toEqual(
        hidden.status === "pass"
          ? { word: "pass", exit: 0, lines: [] }
          : { word: "overfit", exit: 4, lines: [] },
      );
    }
  });

  test("calls a shown layer that does not compile or link a failed build, and any other a failed test", () => {
    for (const layers of every.filter(({ visible }) => visible.status === "fail")) {
      const isBuild = "cause" in layers.visible && /compile|link/.test(layers.visible.cause);
      expect(judged(layers)?.word).toBe(isBuild ? "build failed" : "visible failed");
      expect(judged(layers)?.exit).toBe(2);
    }
  });

  test("names the reason of a rejection, and of tampering nothing more", () => {
    for (const reason of rejectReasons) {
      const report = redact({ verdict: "REJECTED", reason, message: "line 3: odd", layers: {} });
      const lines = [reason === "tampering" ? "tampering" : `${reason} · line 3: odd`];
      expect(report).toEqual({ word: "rejected", exit: 5, lines });
    }
  });

  test("tells of tampering that only hidden words make what the shown tests come to", () => {
    const [passing, ...failing] = visibles;
    const rejected = (visible: RecordedLayer | undefined) =>
      redact({ verdict: "REJECTED", reason: "tampering", message: secret, layers: { visible } });
    expect(rejected(passing)).toEqual({ word: "overfit", exit: 4, lines: [] });
    for (const visible of failing) expect(rejected(visible)).toEqual(judged({ visible, hidden: visible }));
    expect(rejected({ status: "error", cause: "internal", detail: secret, ...measured })).toBeNull();
  });

  test("has no word where there is no verdict", () => {
    expect(redact({ verdict: null, layers: {} })).toBeNull();
  });
});

describe("redactFault", () => {
  test("keeps what task and machine say to itself, and the exit code as it is", () => {
    for (const exit of [65, 69, 70, 75] as const) {
      const location = { file: "oracles/hidden.cpp", line: 1, column: 1 };
      const shown = redactFault(new GraderError(exit, secret, { hint: secret, location, cause: secret }));
      expect(shown.exit).toBe(exit);
      expect(JSON.stringify({ ...shown, message: shown.message, cause: shown.cause })).not.toContain(
        "hidden.cpp",
      );
    }
  });

  test("leaves faults of the command line and of the input as they are", () => {
    for (const exit of [64, 66, 130, 143] as const) {
      const fault = new GraderError(exit, "no such file");
      expect(redactFault(fault)).toBe(fault);
    }
  });
});
