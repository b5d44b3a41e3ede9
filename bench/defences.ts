/**
 * What the defences cost a warm source patch: whole grades, held against the same builds and runs in the same
 * sandbox without hygiene, system call filters and comparison of proofs.
 *
 *   node scripts/run-ts.mjs bench/defences.ts
 */
import { openContext, openMachine, openTask } from "../src/commands/open.ts";
import type { GradeContext } from "../src/grade/context.ts";
import { grade } from "../src/grade/grade.ts";
import { judgeLayer } from "../src/grade/layer.ts";
import { lenientPolicy } from "../src/grade/layer-policy.ts";
import { layTree, prepareLayers } from "../src/grade/prepare.ts";
import type { FileTree } from "../src/model/task.ts";
import { openCpuAccount } from "./cpu-account.ts";

const task = "examples/bounded-queue";
const patches = 20;
const rounds = 3;

/** A right fix with a comment of its own, so that no record answers. */
function variant(baseline: FileTree, n: number): FileTree {
  const unit = "src/bounded_queue.cpp";
  const text = (baseline.get(unit) ?? "")
    .replace(
      /std::uint32_t slot\(.*$/m,
      "std::size_t slot(std::size_t index, std::size_t cap) { return index % cap; }",
    )
    .replace(/if \(--count_ == 0\).*$/m, "--count_;");
  return new Map([...baseline, [unit, `${text}// ${n} ${Math.random()}\n`]]);
}

async function undefended(context: GradeContext, sources: FileTree): Promise<void> {
  const machine = context.machine.scope("undefended");
  const scoped = { ...context, machine };
  const { layers } = await prepareLayers(scoped, ["visible", "hidden"], layTree(scoped, sources), undefined);
  const judged = [...layers.values()].map((layer) => {
    if (layer.status === "decided") return layer.outcome;
    const bare = layer.targets.map(({ filters: _filters, ...target }) => target);
    return judgeLayer(machine, bare, lenientPolicy);
  });
  await Promise.all(judged);
  await machine[Symbol.asyncDispose]();
}

/** Grades `count` variants one after the other and prints the wall time of each. */
async function work(isDefended: boolean, count: number): Promise<void> {
  const { signal } = new AbortController();
  const loaded = await openTask(task);
  const machine = openMachine({ signal });
  const context = await openContext(loaded, machine, { signal, many: true, cache: false });
  for (let n = 0; n < count; n++) {
    const files = variant(loaded.sources, n);
    const started = performance.now();
    if (isDefended) await grade(context, { kind: "sources", files });
    else await undefended(context, files);
    console.log((performance.now() - started).toFixed(2));
  }
  await machine[Symbol.asyncDispose]();
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

async function compare(): Promise<void> {
  const account = openCpuAccount();
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "/" };
  const measure = async (mode: string, count: number) => {
    const argv = [process.execPath, "scripts/run-ts.mjs", "bench/defences.ts", mode, String(count)] as const;
    const spent = await account.run(argv, { env, cwd: process.cwd() });
    if (spent.code !== 0) throw new Error(spent.stderr);
    return { cpu: spent.cpuMs, walls: spent.stdout.trim().split("\n").map(Number) };
  };
  const found = {
    on: { cpu: [] as number[], wall: [] as number[] },
    off: { cpu: [] as number[], wall: [] as number[] },
  };
  await measure("on", 2);
  for (let round = 0; round < rounds; round++)
    for (const mode of ["on", "off"] as const) {
      const [start, full] = [await measure(mode, 1), await measure(mode, patches + 1)];
      found[mode].cpu.push((full.cpu - start.cpu) / patches);
      found[mode].wall.push(median(full.walls.slice(1)));
    }
  account.close();
  const [cpuOn, cpuOff] = [median(found.on.cpu), median(found.off.cpu)];
  const [wallOn, wallOff] = [median(found.on.wall), median(found.off.wall)];
  console.log(
    `CPU  with ${cpuOn.toFixed(0)} ms, without ${cpuOff.toFixed(0)} ms: ${((cpuOn / cpuOff - 1) * 100).toFixed(0)} % more`,
  );
  console.log(
    `wall with ${wallOn.toFixed(0)} ms, without ${wallOff.toFixed(0)} ms: ${(wallOn - wallOff).toFixed(0)} ms more`,
  );
}

const [mode, count] = process.argv.slice(2).filter((argument) => !argument.endsWith(".ts"));
if (mode === "on" || mode === "off") await work(mode === "on", Number(count));
else await compare();
