/** What a passing run must meet besides, asked only when a layer would otherwise pass. */
import type { Target } from "../model/task.ts";
import type { PassedRun } from "./judge.ts";

export interface LayerPolicy {
  /** Whether a memory leak fails the layer. */
  leaksFail(): Promise<boolean>;
  /** How the checks that a target's runs evaluated differ from those of correct sources; null where they don't. */
  oddProof(target: Target, runs: readonly PassedRun[]): Promise<string | null>;
}

/** Reports leaks and compares nothing: for measuring the task itself. */
export const lenientPolicy: LayerPolicy = {
  leaksFail: () => Promise.resolve(false),
  oddProof: () => Promise.resolve(null),
};
