/** What a caller asks of a grade, and what the layers answer. */
import type { LayerName } from "../model/manifest.ts";
import type { Finding, LayerOutcome } from "../model/outcome.ts";
import type { FileTree } from "../model/task.ts";

/** What to grade: a patch, or sources as they are (the baseline, a working tree). */
export type Candidate =
  | { readonly kind: "patch"; readonly bytes: Uint8Array; readonly path?: string }
  | { readonly kind: "sources"; readonly files: FileTree; readonly path?: string };

export interface GradeOptions {
  /** Plain executables with the manifest's flags alone, to cross-check the fast pipeline. */
  readonly referenceBuild?: boolean;
  /** For targets that ask for a seed; drawn anew when absent. */
  readonly seed?: number;
  /** Add a review to the record of a PASS: coverage of the changed lines, effect on interface and CPU time. */
  readonly coverage?: boolean;
  /** Judge the reserve layer too, if the others pass. */
  readonly final?: boolean;
}

/** What became of a candidate: judged by its layers, or refused for what it is. */
export type Judged =
  | { readonly status: "judged"; readonly outcomes: LayerOutcomes }
  | {
      readonly status: "tampering";
      readonly findings: readonly Finding[];
      /** The visible layer's outcome, where nothing would have been found without the other layers' texts. */
      readonly shown?: LayerOutcome | undefined;
    };

/** Outcomes of the layers that were judged, in order. */
export type LayerOutcomes = ReadonlyMap<LayerName, LayerOutcome>;
