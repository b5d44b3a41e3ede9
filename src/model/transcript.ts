/** What a run leaves behind: `run.json`, `attempts.jsonl` (may be shared unless an answer holds the oracle), `records.jsonl` (may not). */
import * as z from "zod/mini";
import { recordSchema } from "./record.ts";
import { agentWords } from "./redact.ts";
import { tokens } from "./verdict.ts";

/** Raised when a field changes its meaning. */
export const transcriptVersion = 1;

const count = z.number().check(z.nonnegative());
const optionalCount = z.nullable(count);
const messageSchema = z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() });

const agentSchema = z.object({
  /** For `sh -c`. */
  command: z.string(),
  network: z.boolean(),
  /** Names of variables that are passed on; never their values. */
  env: z.array(z.string()),
  paths: z.array(z.string()),
  timeoutSeconds: count,
  memoryMiB: count,
  diskMiB: count,
  processes: count,
});
/** An agent in place of a model: its command, and what it may use. */
export type AgentConfig = z.infer<typeof agentSchema>;

/** How a run was asked for; never a key. */
const runConfigSchema = z.object({
  /** Absent with an agent in place of a model. */
  baseUrl: z.optional(z.string()),
  model: z.string(),
  keyEnv: z.optional(z.string()),
  agent: z.optional(agentSchema),
  attempts: count,
  samples: count,
  tokenBudget: optionalCount,
  timeBudget: optionalCount,
  temperature: optionalCount,
  priceIn: optionalCount,
  priceOut: optionalCount,
  stream: z.boolean(),
  /** Takes the place of the standing instructions. */
  system: z.nullable(z.string()),
});
export type RunConfig = z.infer<typeof runConfigSchema>;

/** Schema of `run.json`. */
export const runSchema = z.object({
  schemaVersion: z.literal(transcriptVersion),
  id: z.string(),
  createdAt: z.string(),
  grader: z.string(),
  task: z.object({ id: z.string(), path: z.string(), digest: z.string() }),
  config: runConfigSchema,
});
export type RunFile = z.infer<typeof runSchema>;

const usageSchema = z.object({
  prompt: count,
  completion: count,
  /** The server gave no figures: a quarter of the characters. */
  estimated: z.boolean(),
});
/** Tokens of one answer. */
export type Usage = z.infer<typeof usageSchema>;

const answerFields = {
  attempt: count,
  sample: count,
  prompt: z.string(),
  messages: z.array(messageSchema),
  answer: z.string(),
  /** The answer or its patch holds the oracle for sure; absent where it does not. */
  holdsOracle: z.optional(z.boolean()),
  /** The model came to its limit of tokens; absent where it did not. */
  isCut: z.optional(z.boolean()),
  tokens: usageSchema,
  cost: optionalCount,
  askedAt: z.string(),
  answerMs: count,
};

/** An answer that came; kept until it is judged, so that it is never asked for twice. */
export const answeredSchema = z.object({ ...answerFields, patch: z.nullable(z.string()), why: z.string() });
export type Answered = z.infer<typeof answeredSchema>;

const attemptSchema = z.object({
  kind: z.literal("attempt"),
  ...answerFields,
  patch: z.nullable(z.string()),
  /** Digest of the patched sources up to white space and comments. */
  sources: z.nullable(z.string()),
  shown: z.object({ word: z.enum(agentWords), lines: z.array(z.string()) }),
  repeated: z.boolean(),
});
const stoppedSchema = z.object({
  kind: z.literal("stopped"),
  attempt: count,
  sample: count,
  at: z.string(),
  /** Places in the messages that would have been sent, not their text. */
  hits: z.array(z.string()),
});

/** Schema of a line of `attempts.jsonl`: an answer and what it was told, or a send that the leak scan stopped. */
export const attemptLineSchema = z.discriminatedUnion("kind", [attemptSchema, stoppedSchema]);
export type AttemptLine = z.infer<typeof attemptLineSchema>;
export type Attempt = z.infer<typeof attemptSchema>;

/** Why a run ended. */
export const endReasons = [
  "pass",
  "reserve",
  "repair-the-oracle",
  "attempts",
  "token-budget",
  "time-budget",
  "query-budget",
] as const;
export type EndReason = (typeof endReasons)[number];

/** Schema of a line of `records.jsonl`: a full record, or how the run ended. */
export const recordLineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("record"),
    attempt: count,
    sample: count,
    final: z.boolean(),
    record: recordSchema,
  }),
  z.object({ kind: z.literal("end"), at: z.string(), reason: z.enum(endReasons), token: z.enum(tokens) }),
]);
export type RecordLine = z.infer<typeof recordLineSchema>;
