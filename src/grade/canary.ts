/** A program of ours under a candidate's very limits: tells a broken sanitizer from a candidate that says so. */
import { join } from "node:path";
import { GraderError } from "../model/errors.ts";
import type { Machine } from "../sandbox/machine.ts";
import { type ReadyTarget, runTest } from "./run-test.ts";

/** @throws GraderError 69 when a correct program fails as well under the limits of this target. */
export async function assertCanaryLives(machine: Machine, ready: ReadyTarget): Promise<void> {
  const test = { path: join(ready.kit.supportFolder, "canary.so"), entry: "canary" };
  const { stdin: _stdin, ...target } = ready.target;
  const report = await runTest(machine, {
    ...ready,
    candidate: ready.kit.buildFolder,
    test,
    target: { ...target, args: [] },
  });
  const { proof, status } = report;
  const completed = proof.kind === "completed" && proof.result === 0 && status.end?.exitCode === 0;
  if (completed && proof.leaks !== true) return;
  const said = report.sandbox.stderr.text.trim().split("\n")[0] ?? "";
  throw new GraderError(
    69,
    `the sanitizers don't work on this machine · ${said.slice(0, 200) || "a correct program failed"}`,
    {
      hint: "run `hidden-oracle doctor`: it says which of them are really live",
    },
  );
}
