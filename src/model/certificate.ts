/** What a calibration leaves behind: which task, flags and compiler it was about, and what correct sources came to. */
import * as z from "zod/mini";
import { harnessFlags } from "./build-plan.ts";
import { digestOf, type Task } from "./task.ts";
import { tokens } from "./verdict.ts";
import { version } from "./version.ts";

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** What a certificate holds for; all as digests but the two versions. */
const bindingSchema = z.strictObject({
  /** Manifest, sources, headers, tests and oracle. */
  task: digest,
  /** Every recorded patch, with what is expected of it. */
  recorded: digest,
  /** The completed flags of each target, and those of the harness. */
  flags: digest,
  /** First line of the compiler's `--version`. */
  compiler: z.string(),
  grader: z.string(),
});

/** A target's checks as all correct sources evaluated them, salted: neither count nor sequence can be read from it. */
const proofSchema = z.strictObject({ salt: z.string(), digest });

/** Schema of `manifest.certificate.json`. */
export const certificateSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ...bindingSchema.shape,
  calibratedAt: z.string(),
  repeats: z.number(),
  /** By path of the recorded patch; the baseline is `baseline`. */
  verdicts: z.record(z.string(), z.enum(tokens)),
  /** Whether the reference, or else the baseline, completes every layer without a leak. */
  leakFree: z.boolean(),
  /** Targets that the reference completes in less than a twentieth of their CPU limit. */
  quick: z.array(z.string()),
  /** By target; null where correct sources differ, or nobody may expect anything. */
  proofs: z.record(z.string(), z.nullable(proofSchema)),
});

export type Certificate = z.infer<typeof certificateSchema>;
export type Binding = z.infer<typeof bindingSchema>;
export type SaltedProof = z.infer<typeof proofSchema>;

/** What a certificate of this task, made now with this compiler, would hold for. */
export function bindingOf(task: Task, compiler: string): Binding {
  const targets = Object.values(task.layers).flat();
  return {
    task: task.digest,
    recorded: digestOf(task.recorded.map(({ path, bytes, expected }) => [path, bytes, expected])),
    flags: digestOf([
      targets.map(({ name, cxxflags, testFlags }) => [name, cxxflags, testFlags]),
      harnessFlags,
    ]),
    compiler,
    grader: version,
  };
}

const changed: Readonly<Record<keyof Binding, string>> = {
  task: "the task has changed since",
  recorded: "a recorded patch has changed since",
  flags: "the flags have changed since",
  compiler: "it was made with another compiler",
  grader: "it was made by another version",
};

/** The first thing that a certificate no longer holds for, in words; null where all is as it was. */
export function stalenessOf(certificate: Certificate, now: Binding): string | null {
  const odd = (Object.keys(changed) as (keyof Binding)[]).find((key) => certificate[key] !== now[key]);
  if (odd === undefined) return null;
  const values = odd === "compiler" || odd === "grader" ? ` (${certificate[odd]}, now ${now[odd]})` : "";
  return changed[odd] + values;
}

/** Digest of one run's checks under a salt. Counts and chains are 64 bits, unsigned. */
export function proofDigestOf(salt: string, { checks, chain }: { checks: bigint; chain: bigint }): string {
  return digestOf([salt, String(checks), String(chain)]);
}
