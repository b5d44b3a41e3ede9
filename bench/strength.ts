/**
 * What a mutant costs: `strength` on the shipped task, held against compiling and running each
 * mutant alone with the plain script, on a sample of them.
 *
 *   node scripts/run-ts.mjs bench/strength.ts
 */
import { createTwoFilesPatch } from "diff";
import { generateMutants } from "../src/audit/mutate/generate.ts";
import { applyMutant, type Mutant } from "../src/audit/mutate/mutant.ts";
import { recordedTree } from "../src/grade/recorded.ts";
import type { FileTree, Task } from "../src/model/task.ts";
import { loadTask } from "../src/task/load.ts";
import { openStage, type Stage } from "./stage.ts";

const sampleSize = 12;

/** Every n-th mutant, as a patch of the task's baseline. */
async function sample(task: Task): Promise<string[]> {
  if (!task.reference) throw new Error("the task has no reference");
  const files = recordedTree(task, task.reference);
  const visible = task.layers.visible.flatMap(({ sources }) => sources.map(({ text }) => text));
  const mutants = await generateMutants({ files, visible });
  const step = Math.floor(mutants.length / sampleSize);
  const chosen = mutants.filter((_, i) => i % step === 0).slice(0, sampleSize);
  return chosen.map((mutant) => patchOf(task.sources, files, mutant));
}

function patchOf(baseline: FileTree, reference: FileTree, mutant: Mutant): string {
  const mutated = applyMutant(reference, mutant);
  return [...mutated]
    .filter(([path, text]) => baseline.get(path) !== text)
    .map(([path, text]) => createTwoFilesPatch(`a/${path}`, `b/${path}`, baseline.get(path) ?? "", text))
    .join("");
}

/**
 * CPU milliseconds for one mutant of a whole analysis, probes and the comparison of code included. What is made once
 * for a task (its tests' objects, the grades of its recorded patches) is made by a first run of one mutant.
 */
async function oursPerMutant(stage: Stage): Promise<number> {
  const cache = stage.freshCache();
  const once = await stage.ours(["strength", "--task", stage.task, "--limit", "1"], cache);
  const { code, stdout, stderr, cpuMs } = await stage.ours(
    ["strength", "--task", stage.task, "--json"],
    cache,
  );
  if (code !== 0) throw new Error(`strength failed, exit ${code}\n${stderr}`);
  process.stdout.write(`once for the task: ${(once.cpuMs / 1000).toFixed(1)} s\n`);
  const { score, probes } = JSON.parse(stdout).strength as { score: { generated: number }; probes: number };
  process.stdout.write(`strength judged ${score.generated} mutants and ${probes} probes\n`);
  return cpuMs / (score.generated + probes);
}

async function scriptPerMutant(stage: Stage, patches: readonly string[]): Promise<number> {
  let cpuMs = 0;
  for (const patch of patches) cpuMs += (await stage.reference(stage.patchFile(patch))).cpuMs;
  return cpuMs / patches.length;
}

const stage = await openStage(false);
try {
  const task = await loadTask(stage.task);
  const alone = await scriptPerMutant(stage, await sample(task));
  const ours = await oursPerMutant(stage);
  process.stdout.write(
    `CPU by ${stage.account.kind}: ${alone.toFixed(0)} ms a mutant alone, ${ours.toFixed(0)} ms in strength, ${(ours / alone).toFixed(3)} ×\n`,
  );
} finally {
  stage.close();
}
