/** The ledger's noun: a label given out about an oracle is a question answered, and questions are counted. */
import * as z from "zod/mini";
import { type AgentWord, agentWords } from "./redact.ts";

/** Who was told: labels of one lineage add up in one reader's knowledge. */
export interface Lineage {
  /** A model's name, an agent's command, a client of the tool server. */
  readonly model: string;
  /** Digest of the first messages. */
  readonly prompt: string;
  /** Id of the run. */
  readonly run: string;
}

/** Schema of one line of the ledger. */
export const ledgerEntrySchema = z.object({
  at: z.string(),
  caller: z.string(),
  oracle: z.string(),
  model: z.string(),
  prompt: z.string(),
  run: z.string(),
  patch: z.string(),
  label: z.enum(agentWords),
  bits: z.number(),
});

/** One label given out. `patch` is the digest of the patched sources, normalised. */
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** Where labels are written down, and counted. */
export interface Ledger {
  /** @throws GraderError 75 when it can't be written: no label without its entry. */
  append(entry: LedgerEntry): void;
  /** Labels given out about an oracle, in a run and by everybody. @throws GraderError */
  count(oracle: string, run: string): LabelCount;
  /** What a run was told about an oracle after the same first messages, by digest of the patched sources. @throws GraderError */
  answers(
    oracle: string,
    lineage: Pick<Lineage, "run" | "prompt">,
  ): readonly (readonly [string, AgentWord])[];
}

/** How many labels were given out. */
export interface LabelCount {
  readonly run: number;
  readonly all: number;
}

/** Bits about the hidden layer that a label tells at most: only after a pass of the shown layer it tells any. */
export function labelBits(label: AgentWord): number {
  return label === "overfit" || label === "pass" ? 1 : 0;
}

/** Whether a label counts as a question about the oracle. A rejected patch was never judged. */
export function isQuery(label: AgentWord): boolean {
  return label !== "rejected";
}

/** Counts the labels of entries that count. */
export function countLabels(entries: Iterable<LedgerEntry>, oracle: string, run: string): LabelCount {
  let [own, all] = [0, 0];
  for (const entry of entries) {
    if (entry.oracle !== oracle || !isQuery(entry.label)) continue;
    all++;
    if (entry.run === run) own++;
  }
  return { run: own, all };
}

/** Of plausible tries, how many are taken for granted to be green on the shown layer. */
const greenShare = 0.4;
/** How many accepted patches may be wrong. */
const falseAcceptance = 0.05;
/** What is assumed of an oracle that was never measured; six labels follow. */
export const assumedStrength = 0.98;
const mostByDefault = 100;

/**
 * How many labels one run may learn where the task says nothing: n = 0.05 / ((1 − strength) × 0.4), from 1 to 100,
 * so that at most one accepted patch in twenty is wrong. `strength` is the measured mutation score, 0 to 1.
 */
export function defaultQueryBudget(strength: number | null): number {
  const missed = 1 - (strength ?? assumedStrength);
  if (missed <= 0) return mostByDefault;
  // The quotient of decimals such as 0.98 falls a hair short of a whole number.
  const tries = Math.floor(falseAcceptance / (missed * greenShare) + 1e-9);
  return Math.min(mostByDefault, Math.max(1, tries));
}
