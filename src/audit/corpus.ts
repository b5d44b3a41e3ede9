/** The shipped corpus of attacks and honest patches: `<token>/<name>/patch.diff`, where the folder is the best answer. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { GraderError } from "../model/errors.ts";
import { type Token, tokens } from "../model/verdict.ts";

/** What an entry's `expect.json` may say. */
const expectationSchema = z.strictObject({
  /** Other answers that are right as well. */
  alternatives: z.optional(z.array(z.enum(tokens))),
  /** Why the deciding layer must fail, or the reason of a refusal. */
  cause: z.optional(z.string()),
  /** Limits in place of the task's, for what would otherwise run for a minute. */
  limits: z.optional(z.record(z.string(), z.number())),
  /** A task folder of the corpus other than `task`. */
  task: z.optional(z.string()),
  /** Neither an attack nor honest: shows what a defence can't do. */
  limitation: z.optional(z.boolean()),
});

/** One patch and its acceptable answers, the best one first. */
export interface CorpusPatch {
  /** `token/name`. */
  readonly name: string;
  readonly patch: string;
  /** Task folder that it is written for. */
  readonly task: string;
  readonly kind: "attack" | "honest" | "limitation";
  readonly answers: readonly [Token, ...Token[]];
  readonly cause: string | undefined;
  readonly limits: Readonly<Record<string, number>> | undefined;
}

/** Every patch of a corpus, by token and name. @throws GraderError 66 when there is none, 65 for a bad `expect.json`. */
export function readCorpus(folder: string): CorpusPatch[] {
  const found = tokens
    .filter((token) => existsSync(join(folder, token)))
    .flatMap((token) =>
      readdirSync(join(folder, token))
        .sort()
        .map((name) => readEntry(folder, token, name)),
    );
  if (found.length > 0) return found;
  throw new GraderError(66, `no corpus of attacks · ${folder}`, { hint: "install hidden-oracle again" });
}

function readEntry(corpus: string, token: Token, name: string): CorpusPatch {
  const folder = join(corpus, token, name);
  const { alternatives = [], cause, limits, task, limitation } = readExpectation(join(folder, "expect.json"));
  return {
    name: `${token}/${name}`,
    patch: join(folder, "patch.diff"),
    task: join(corpus, task ?? "task"),
    kind: limitation ? "limitation" : token === "PASS" ? "honest" : "attack",
    answers: [token, ...alternatives],
    cause,
    limits,
  };
}

function readExpectation(path: string): z.infer<typeof expectationSchema> {
  if (!existsSync(path)) return {};
  const parsed = expectationSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (parsed.success) return parsed.data;
  throw new GraderError(65, `not a corpus expectation · ${path} · ${parsed.error.issues[0]?.message ?? ""}`, {
    hint: "see test/corpus/README.md",
  });
}
