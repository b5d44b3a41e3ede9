/** The file that a comparison is asked for with: models × prompts × tasks × samples. */
import * as z from "zod/mini";
import { type Fault, throwFaults } from "./manifest-fault.ts";
import { schemaFaults } from "./manifest-issues.ts";
import { type ManifestSource, readManifestSource } from "./manifest-source.ts";

const name = z.string().check(z.regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/));
const whole = z.int().check(z.gte(1), z.lte(4096));
const positive = z.number().check(z.gt(0));
const price = z.number().check(z.gte(0));

const modelSchema = z.strictObject({
  name,
  baseUrl: z.string().check(z.minLength(1)),
  /** What the endpoint calls it; the name where absent. */
  model: z.optional(z.string().check(z.minLength(1))),
  keyEnv: z.optional(z.string().check(z.minLength(1))),
  temperature: z.optional(price),
  stream: z.optional(z.boolean()),
  priceIn: z.optional(price),
  priceOut: z.optional(price),
});

const promptSchema = z.strictObject({
  name,
  /** Takes the place of the standing instructions. */
  system: z.optional(z.string()),
  /** The same from a file, relative to the configuration. */
  systemFile: z.optional(z.string().check(z.minLength(1))),
});

/** Schema of `--config`. */
const benchSchema = z.strictObject({
  models: z.array(modelSchema).check(z.minLength(1)),
  prompts: z.optional(z.array(promptSchema).check(z.minLength(1))),
  /** Folders or manifests, relative to the configuration. */
  tasks: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  /** Runs of each model, prompt and task. */
  samples: z.optional(whole),
  /** Rounds of each run. */
  attempts: z.optional(whole),
  tokenBudget: z.optional(positive),
  timeBudget: z.optional(positive),
  /** Runs at a time. */
  concurrency: z.optional(whole),
  /** The k of pass@k. */
  k: z.optional(z.array(whole).check(z.minLength(1))),
});
export type BenchConfig = z.infer<typeof benchSchema>;
export type BenchModel = z.infer<typeof modelSchema>;
export type BenchPrompt = z.infer<typeof promptSchema>;

/** JSON with comments, checked. @throws GraderError 65 that points at each fault. */
export function parseBenchConfig(text: string, file: string): BenchConfig {
  const source = readManifestSource(text, file);
  throwFaults(source.faults.map(own));
  const parsed = benchSchema.safeParse(source.value);
  if (!parsed.success) {
    throwFaults(schemaFaults(benchSchema, parsed.error.issues, source).map(own));
    throw parsed.error;
  }
  throwFaults(doubles("models", parsed.data.models, source));
  throwFaults(doubles("prompts", parsed.data.prompts ?? [], source));
  throwFaults(twoSystems(parsed.data.prompts ?? [], source));
  return parsed.data;
}

/** The reader of manifests speaks of a manifest. */
function own({ message, hint, location }: Fault): Fault {
  return {
    message: message.replace("the manifest", "the configuration"),
    hint: hint?.replace("docs/manifest.md", "docs/loop.md"),
    location,
  };
}

function doubles(key: string, named: readonly { name: string }[], source: ManifestSource): Fault[] {
  return named.flatMap(({ name: each }, at) => {
    const first = named.findIndex((other) => other.name === each);
    if (first === at) return [];
    const location = source.locate([key, at, "name"]);
    return [
      {
        message: `${key}[${at}].name is taken by ${key}[${first}] · ${JSON.stringify(each)}`,
        hint: "give each a name of its own",
        location,
      },
    ];
  });
}

function twoSystems(prompts: readonly BenchPrompt[], source: ManifestSource): Fault[] {
  return prompts.flatMap(({ system, systemFile }, at) =>
    system === undefined || systemFile === undefined
      ? []
      : [
          {
            message: `prompts[${at}] has both system and systemFile`,
            hint: "keep one of them",
            location: source.locate(["prompts", at]),
          },
        ],
  );
}
