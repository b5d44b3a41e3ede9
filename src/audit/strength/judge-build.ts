/** Judges many mutants with one build: all of them in one object, chosen by number. */

import type { GradeContext } from "../../grade/context.ts";
import type { LayerPolicy } from "../../grade/layer-policy.ts";
import { leaksFail } from "../../grade/leak-policy.ts";
import { layTree, type PreparedLayer, prepareLayers } from "../../grade/prepare.ts";
import { oddProof } from "../../grade/proof-policy.ts";
import type { ReadyTarget } from "../../grade/run-test.ts";
import type { FileTree } from "../../model/task.ts";
import type { Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";
import { type Court, judgeVariants, type LayerAnswer } from "./judge-variants.ts";
import { syntaxErrors } from "./syntax-check.ts";
import { numbersIn, type Variant, withVariants } from "./variants.ts";

/** Fates of the mutants that the build could judge; the others are left to a build of their own. */
export interface BuildVerdict {
  readonly fates: ReadonlyMap<Mutant, Fate>;
  readonly left: readonly Mutant[];
}

/** Builds with bodies dropped that don't compile, before all of them are left to builds of their own. */
const mostRounds = 4;

/** What a grade asks of a passing run besides. */
export function policyOf(context: GradeContext): LayerPolicy {
  return {
    leaksFail: () => leaksFail(context),
    oddProof: (target, runs) => oddProof(context, target, runs),
  };
}

/** Builds, asks both layers, and refuses the build where the reference in it doesn't pass as it does by itself. */
export async function judgeBuild(
  context: GradeContext,
  files: FileTree,
  all: readonly Variant[],
): Promise<BuildVerdict> {
  const mutants = all.map(({ mutant }) => mutant);
  let variants = all;
  for (let round = 0; round < mostRounds && variants.length > 0; round++) {
    const layers = await prepare(context, withVariants(files, variants));
    if (layers.status === "ready") return judgeReady(context, layers, mutants, variants);
    const bad = await badNumbers(context, files, variants, layers.messages);
    if (bad.size === 0) break;
    variants = variants.filter(({ number }) => !bad.has(number));
  }
  return { fates: new Map(), left: mutants };
}

interface ReadyLayers {
  readonly status: "ready";
  readonly visible: readonly ReadyTarget[];
  readonly hidden: readonly ReadyTarget[];
}

/** Both layers built, or what the compiler said. */
export type Prepared = ReadyLayers | { readonly status: "failed"; readonly messages: string };

/** Builds a tree for both layers. @throws GraderError 65 when a test compiles nowhere. */
export async function prepare(context: GradeContext, tree: FileTree): Promise<Prepared> {
  const { layers } = await prepareLayers(
    context,
    ["visible", "hidden"],
    layTree(context, tree),
    fixedSeed(context),
  );
  const [visible, hidden] = [layers.get("visible"), layers.get("hidden")];
  if (visible?.status === "ready" && hidden?.status === "ready")
    return { status: "ready", visible: visible.targets, hidden: hidden.targets };
  return { status: "failed", messages: [visible, hidden].map(messagesOf).join("\n") };
}

/** The manifest's fixed seed; targets that draw anew are given theirs run by run. */
export function fixedSeed({ task }: GradeContext): number | undefined {
  const wanted = [...task.layers.visible, ...task.layers.hidden].map(({ seed }) => seed);
  return wanted.find((seed) => typeof seed === "number");
}

function messagesOf(layer: PreparedLayer | undefined): string {
  if (layer?.status !== "decided" || layer.outcome.status === "pass") return "";
  const found = layer.outcome.status === "fail" ? (layer.outcome.findings ?? []) : [];
  return [layer.outcome.detail, ...found.map(({ file, line }) => `${file}:${line}`)].join("\n");
}

/** Whose bodies the compiler complains of: as far as the failed build said, and all that a look at the syntax finds. */
async function badNumbers(
  context: GradeContext,
  files: FileTree,
  variants: readonly Variant[],
  messages: string,
): Promise<Set<number>> {
  const said = numbersIn(messages);
  const found = numbersIn(await syntaxErrors(context, withVariants(files, variants)));
  return new Set([...said, ...found]);
}

/** Runs every variant of a build; leaves all where the reference in it doesn't pass. */
export async function judgeReady(
  context: GradeContext,
  layers: ReadyLayers,
  mutants: readonly Mutant[],
  variants: readonly Variant[],
): Promise<BuildVerdict> {
  const policy = policyOf(context);
  const usual = await usualTimes({ context, policy, usual: new Map() }, [
    ...layers.visible,
    ...layers.hidden,
  ]);
  if (usual === null) return { fates: new Map(), left: mutants };
  const court: Court = { context, policy, usual };
  const byNumber = new Map(variants.map(({ number, mutant }) => [number, mutant]));
  const shown = await judgeVariants(court, layers.visible, [...byNumber.keys()]);
  const through = [...shown].flatMap(([number, answer]) => (answer.status === "pass" ? [number] : []));
  const kept = await judgeVariants(court, layers.hidden, through);
  const fates = new Map<Mutant, Fate>();
  for (const [number, mutant] of byNumber) fates.set(mutant, fateOf(shown.get(number), kept.get(number)));
  return { fates, left: mutants.filter((mutant) => !fates.has(mutant)) };
}

/** What both layers said → the fate. */
export function fateOf(visible: LayerAnswer | undefined, hidden: LayerAnswer | undefined): Fate {
  if (visible?.status === "fail") return { status: "killed", by: "visible", cause: visible.cause };
  if (hidden?.status === "fail") return { status: "killed", by: "hidden", cause: hidden.cause };
  return { status: "survived", ...(hidden?.seeds === undefined ? {} : { seeds: hidden.seeds }) };
}

/** CPU time of the reference's runs in a build, or null where it doesn't pass: then the build is no stand-in for it. */
export async function usualTimes(
  court: Court,
  targets: readonly ReadyTarget[],
): Promise<Map<string, number> | null> {
  const times = new Map<string, number>();
  const answers = await Promise.all(
    targets.map(async (ready) => {
      const answer = (await judgeVariants(court, [ready], [0])).get(0);
      if (answer?.status === "pass") times.set(ready.target.name, answer.cpuMs);
      return answer;
    }),
  );
  return answers.every((answer) => answer?.status === "pass") ? times : null;
}
