/** What a passing run must meet besides, asked only when a layer would otherwise pass. */
import type { Target } from "../model/task.ts";

/** How many checks a correct candidate evaluates, and the hash of their sequence. */
export interface ExpectedProof {
  readonly checks: bigint;
  readonly chain: bigint;
}

export interface LayerPolicy {
  /** Whether a memory leak fails the layer. */
  leaksFail(): Promise<boolean>;
  /** What the completion proof must say; null where a correct candidate may differ. */
  expectedProof(target: Target): Promise<ExpectedProof | null>;
}

/** Reports leaks and compares nothing: for measuring the task itself. */
export const lenientPolicy: LayerPolicy = {
  leaksFail: () => Promise.resolve(false),
  expectedProof: () => Promise.resolve(null),
};
