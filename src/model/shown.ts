/** What a judge hands to whoever asks a code generator again: already redacted. */
import type { AgentReport } from "./redact.ts";

/** A judged patch, as far as the loop may know. */
export interface Shown {
  readonly report: AgentReport;
  /** Digest of the patched sources up to white space and comments; null where the patch has no place. */
  readonly sources: string | null;
  /** Answered from the record: it was judged before in this run, and cost no label. */
  readonly repeated: boolean;
  /** The run must end here; why is the maintainer's to know, never to be sent. */
  readonly stop: boolean;
}

/** Judges patches for readers who must not learn of the hidden layer. */
export interface AgentJudge {
  /** Null when the query budget is used up and the answer is not known already. @throws GraderError */
  judge(patch: string): Promise<Shown | null>;
  /** Judges the reserve layer for a patch about to be accepted; its outcome is no feedback. @throws GraderError */
  final(patch: string): Promise<boolean>;
  /** Labels given out in this run, how many may be, and all that were ever given out about this oracle. */
  labels(): { readonly given: number; readonly budget: number; readonly all: number };
}
