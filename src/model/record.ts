/** The record of one grade: everything that its verdict depends on. Written as JSON, one line or indented. */
import * as z from "zod/mini";
import { errorCauses, failCauses } from "./outcome.ts";
import { rejectReasons, tokens } from "./verdict.ts";

/** Raised when a field changes its meaning; new optional fields don't raise it. */
export const recordVersion = 1;

const count = z.number().check(z.nonnegative());
const findingSchema = z.object({
  kind: z.string(),
  message: z.optional(z.string()),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
});
const measured = { durationMs: count, cpuMs: count, findings: z.optional(z.array(findingSchema)) };
const layerSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("pass"), detail: z.optional(z.string()), ...measured }),
  z.object({ status: z.literal("fail"), cause: z.enum(failCauses), detail: z.string(), ...measured }),
  z.object({ status: z.literal("error"), cause: z.enum(errorCauses), detail: z.string(), ...measured }),
]);
const noteSchema = z.object({
  kind: z.string(),
  message: z.string(),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
});

const placeSchema = z.object({ file: z.string(), line: z.number() });
/** With `--coverage`, of a PASS. CPU times are in milliseconds. */
const reviewSchema = z.object({
  /** Changed lines that have code, and those that no hidden check executed. */
  coverage: z.object({ changed: count, missed: z.array(placeSchema) }),
  /** Public declarations, one line each. */
  interface: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  /** By layer; `against` is the reference's path, or `baseline`. */
  cpu: z.object({
    against: z.string(),
    layers: z.record(z.string(), z.object({ cpuMs: count, modelMs: count })),
  }),
});

/** Schema of a record; `schema/record.schema.json` is generated from it. */
export const recordSchema = z.object({
  schemaVersion: z.literal(recordVersion),
  id: z.string(),
  task: z.object({ id: z.string(), digest: z.string() }),
  patch: z.object({ digest: z.string(), files: z.array(z.string()), path: z.optional(z.string()) }),
  verdict: z.nullable(z.enum(tokens)),
  reason: z.optional(z.enum(rejectReasons)),
  message: z.optional(z.string()),
  findings: z.optional(z.array(findingSchema)),
  layer: z.nullable(z.enum(["visible", "hidden", "reserve"])),
  layers: z.object({
    visible: z.optional(layerSchema),
    hidden: z.optional(layerSchema),
    reserve: z.optional(layerSchema),
  }),
  notes: z.array(noteSchema),
  dropped: z.array(z.object({ file: z.string(), message: z.string() })),
  environment: z.object({
    grader: z.string(),
    compiler: z.string(),
    cxxflags: z.record(z.string(), z.array(z.string())),
    harnessFlags: z.array(z.string()),
    pipeline: z.enum(["shared-objects", "reference-build"]),
    sandbox: z.object({ kind: z.string(), limits: z.record(z.string(), z.string()) }),
    seed: z.nullable(z.number()),
    platform: z.string(),
  }),
  review: z.optional(reviewSchema),
  error: z.optional(z.object({ exit: z.number(), message: z.string(), hint: z.optional(z.string()) })),
  startedAt: z.string(),
  durationMs: count,
  cached: z.boolean(),
  expected: z.optional(z.enum(tokens)),
});

/** One grade, as it is stored, reported and printed with `--json`. */
export type GradeRecord = z.infer<typeof recordSchema>;
export type RecordedLayer = z.infer<typeof layerSchema>;
