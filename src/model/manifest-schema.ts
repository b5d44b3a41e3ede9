/** The manifest as its author writes it: every key, its type and its description. Source of `schema/manifest.schema.json`. */

import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { waiverCategories } from "./strength.ts";
import { tokens } from "./verdict.ts";

// Without a locale every message of zod/mini reads "Invalid input".
// A process reads one manifest, so compiling the schema to code would cost more than it saves.
z.config({ ...en() });

/** What each limit is when the manifest says nothing. */
export const defaultLimits = {
  cpuSeconds: 10,
  wallSeconds: 60,
  memoryMiB: 1024,
  outputKiB: 65536,
  processes: 32,
  diskMiB: 64,
  compileSeconds: 60,
  compileMemoryMiB: 2560,
} as const;

const text = (description: string) => z.string().check(z.minLength(1), z.describe(description));
const texts = (description: string) =>
  z.array(z.string().check(z.minLength(1))).check(z.describe(description));
const flag = (description: string) => z.boolean().check(z.describe(description));
const amount = (most: number, description: string) =>
  z.number().check(z.positive(), z.lte(most), z.describe(description));
const whole = (least: number, most: number, description: string) =>
  z.int().check(z.gte(least), z.lte(most), z.describe(description));

// The ceilings only catch slips of the pen: a day, a tebibyte, and what a process table can hold.
const day = 86_400;
const tebibyteInMiB = 1_048_576;
const limits = () =>
  z.strictObject({
    cpuSeconds: z.optional(amount(day, "CPU time of one run, all its processes together. Default 10.")),
    wallSeconds: z.optional(
      amount(day, "Backstop in real time for one run. Default 60, or twice cpuSeconds if that is more."),
    ),
    memoryMiB: z.optional(amount(tebibyteInMiB, "Resident memory of one run. Default 1024.")),
    outputKiB: z.optional(
      amount(tebibyteInMiB * 1024, "What one run may print before it is stopped. Default 65536."),
    ),
    processes: z.optional(whole(1, 65_536, "Processes and threads of one run. Default 32.")),
    diskMiB: z.optional(amount(tebibyteInMiB, "What one run may write to its scratch folder. Default 64.")),
    compileSeconds: z.optional(amount(day, "CPU time of one compile or link. Default 60.")),
    compileMemoryMiB: z.optional(amount(tebibyteInMiB, "Memory of one compile or link. Default 2560.")),
  });

const content = (description: string) =>
  z
    .union([z.string(), z.strictObject({ file: text("Path of a file in the task folder.") })])
    .check(z.describe(`${description} The text itself, or { "file": PATH }.`));

const testCase = z.strictObject({
  name: z.optional(text("How reports call this case. Default: its number.")),
  args: z.optional(texts("Arguments of the program.")),
  stdin: z.optional(content("What the program reads.")),
  stdout: z.optional(content("What the program must print.")),
  exitCode: z.optional(whole(0, 255, "Exit status that the program must have. Default 0.")),
});

/** Test frameworks whose main the harness can provide. */
export const frameworks = ["none", "gtest", "catch2", "doctest", "boost"] as const;

const target = z.strictObject({
  source: z.optional(text("The test program's one source file.")),
  sources: z.optional(texts("The test program's source files.").check(z.minLength(1))),
  cases: z.optional(
    z
      .union([z.string().check(z.minLength(1)), z.array(testCase).check(z.minLength(1))])
      .check(
        z.describe(
          "Input and output pairs for a candidate that has its own main: a folder of NAME.in and NAME.ans files, or a list.",
        ),
      ),
  ),
  command: z.optional(
    texts("Program and arguments that judge what was built; for tasks with a build of their own.").check(
      z.minLength(1),
    ),
  ),
  cxxflags: z.optional(
    texts("Further compiler flags of this target. A -fsanitize= here replaces the manifest's."),
  ),
  sanitize: z.optional(
    z
      .union([z.literal("none"), z.array(z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)))])
      .check(
        z.describe(
          'Sanitizers of this target in place of those in cxxflags: a list such as ["thread"], or "none".',
        ),
      ),
  ),
  framework: z.optional(
    z
      .enum(frameworks)
      .check(z.describe("Test framework that the sources use. Default: told from their includes.")),
  ),
  args: z.optional(texts("Arguments of the test program.")),
  stdin: z.optional(content("What the test program reads. Default: nothing.")),
  repeat: z.optional(
    whole(1, 1000, "How often the target is run; runs that disagree fail as flaky. Default 1."),
  ),
  seed: z.optional(
    z
      .union([z.boolean(), z.int().check(z.gte(0))])
      .check(
        z.describe(
          "true: give the target a seed as HIDDEN_ORACLE_SEED; a number: that seed where none is asked for. Default false.",
        ),
      ),
  ),
  isolation: z.optional(
    z
      .enum(["none", "process"])
      .check(z.describe('"process" runs test and candidate in two processes. Default "none".')),
  ),
  limits: z.optional(limits().check(z.describe("Limits of this target, over the manifest's."))),
});

const layer = (description: string) =>
  z
    .union([
      z.string().check(z.minLength(1)),
      target,
      z.array(z.union([z.string().check(z.minLength(1)), target])).check(z.minLength(1)),
    ])
    .check(z.describe(`${description} A file, a target, or a list of them.`));

const build = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("direct") }),
  z.strictObject({
    kind: z.literal("cmake"),
    directory: z.optional(text("Folder of CMakeLists.txt. Default: the task folder.")),
    options: z.optional(texts("Further arguments for cmake, such as -DNAME=VALUE.")),
    targets: z.optional(texts("CMake targets to build and link. Default: all libraries.")),
  }),
  z.strictObject({
    kind: z.literal("command"),
    command: texts("Program and arguments that build the candidate.").check(z.minLength(1)),
    outputs: z.optional(
      texts("Objects or static libraries that the command leaves, to be linked with the tests."),
    ),
  }),
]);

const waiver = z.strictObject({
  mutant: text("The mutant's name as `strength` prints it."),
  category: z
    .enum(waiverCategories)
    .check(
      z.describe(
        '"equivalent": no caller can tell it from the reference. "infeasible": no test could afford to. "out-of-contract": the contract leaves it open.',
      ),
    ),
  reason: text("Why this mutant need not die."),
  file: z.optional(text("File that the mutant changes.")),
  line: z.optional(whole(1, 10_000_000, "Line that the mutant changes.")),
});

/** The whole manifest. Strict everywhere: a key it doesn't list is a fault. */
export const manifestSchema = z.strictObject({
  $schema: z.optional(text("Where editors find the schema of this file.")),
  id: z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/),
      z.describe("Name of the task: letters, digits, dot, underscore, hyphen."),
    ),
  prompt: z.optional(text("File with the words that the model is given.")),
  sources: texts("The only files that a patch may touch. A glob admits new files that match it.").check(
    z.minLength(1),
  ),
  visible: layer("The tests that the model is shown."),
  hidden: layer("The oracle: tests that the model never sees."),
  reserve: z.optional(layer("A third layer, judged once for a candidate about to be accepted.")),
  cxxflags: z.optional(
    texts("Compiler flags of every target, one flag an entry. What a sound verdict needs is added."),
  ),
  compiler: z.optional(text("The one compiler: a name such as g++-12, or an absolute path. Default g++.")),
  compilers: z.optional(texts("Several compilers; every layer must hold under each.").check(z.minLength(1))),
  include: z.optional(texts("Folders of headers that neither belong to the tests nor may be patched.")),
  ldflags: z.optional(texts("Linker flags, such as -pthread or -lm.")),
  pkgConfig: z.optional(texts("Packages whose flags pkg-config gives.")),
  limits: z.optional(limits().check(z.describe("What compiles and runs may use."))),
  build: z.optional(build.check(z.describe('How the candidate is built. Default { "kind": "direct" }.'))),
  reference: z.optional(text("A patch known to be right.")),
  alternatives: z.optional(texts("Other patches known to be right, in other ways.")),
  calibration: z.optional(
    z
      .record(z.string(), z.enum(tokens))
      .check(z.describe("Recorded patches and the verdict that each must get.")),
  ),
  waivers: z.optional(
    z.array(waiver).check(z.describe("Mutants that the oracle need not kill, each with a reason.")),
  ),
  hints: z.optional(
    z
      .partialRecord(z.enum(tokens), z.string())
      .check(z.describe("What the loop may tell the model after a verdict.")),
  ),
  scope: z.optional(
    z
      .enum(["reject", "drop"])
      .check(
        z.describe(
          'What becomes of a patch that touches other files: refused, or judged without them. Default "reject".',
        ),
      ),
  ),
  protect: z.optional(texts("Globs of files that a patch may never touch, whatever sources and scope say.")),
  allow: z.optional(texts("Hygiene findings that this task legitimately needs.")),
  memoryLeaks: z.optional(
    z
      .enum(["auto", "fail", "report"])
      .check(
        z.describe(
          'Whether a leak fails a layer. "auto": if the reference, or else the baseline, is leak-free. Default "auto".',
        ),
      ),
  ),
  proof: z.optional(
    z
      .enum(["auto", "exact", "completion"])
      .check(
        z.describe(
          'Whether the count of checks must match the reference. "auto": where calibration found it stable. Default "auto".',
        ),
      ),
  ),
  queryBudget: z.optional(
    whole(1, 1_000_000, "How many verdicts about the hidden layer one loop may learn."),
  ),
  locked: z.optional(flag("Refuse to grade when the lock file is missing. Default false.")),
});

/** A manifest that satisfies {@link manifestSchema}: what the author wrote, nothing filled in. */
export type ManifestInput = z.infer<typeof manifestSchema>;
/** One target as the author wrote it in full. */
export type TargetInput = z.infer<typeof target>;
/** One case of a target that compares output. */
export type CaseInput = z.infer<typeof testCase>;
/** Limits as the author wrote them. */
export type LimitsInput = NonNullable<ManifestInput["limits"]>;

/** The manifest's JSON Schema, for editors. `schema/manifest.schema.json` is this, printed. */
export function manifestJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(manifestSchema, { io: "input" });
  return { $schema, $id: "urn:hidden-oracle:manifest", title: "Manifest of a hidden-oracle task", ...rest };
}
