/** A small task on disk, edits to its sources, and what hygiene says to them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Cache } from "../../src/grade/cache.ts";
import { buildCandidate } from "../../src/grade/candidate.ts";
import type { GradeContext } from "../../src/grade/context.ts";
import { inspectBuilt, inspectSources, inspectTree } from "../../src/grade/hygiene/hygiene.ts";
import { openKit } from "../../src/grade/kit.ts";
import { layTree } from "../../src/grade/prepare.ts";
import { probeToolchain } from "../../src/grade/toolchain.ts";
import { candidateFlagsOf } from "../../src/model/build-plan.ts";
import type { Finding } from "../../src/model/outcome.ts";
import { Machine } from "../../src/sandbox/machine.ts";
import { loadTask } from "../../src/task/load.ts";

export type Files = Readonly<Record<string, string>>;

/** Replaces a text that occurs once in a file; where that is empty, adds to the file's end. */
export type Edit = readonly [file: string, from: string, to: string];

/** A machine and a cache of their own, for as long as a test file runs. */
export class HygieneBench {
  readonly #folder = mkdtempSync(join(tmpdir(), "hidden-oracle-hygiene-"));
  readonly #machine: Machine;
  readonly #cache: Cache;

  constructor() {
    chmodSync(this.#folder, 0o711);
    this.#machine = Machine.open({ path: process.env.PATH ?? "/usr/bin:/bin", tmpRoot: this.#folder });
    this.#cache = new Cache(join(this.#folder, "cache"));
  }

  async close(): Promise<void> {
    await this.#machine[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async open(name: string, files: Files): Promise<GradeContext> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.#folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const task = await loadTask(join(this.#folder, name));
    const [machine, cache] = [this.#machine, this.#cache];
    const toolchain = await probeToolchain("g++", machine, cache);
    return {
      task,
      toolchain,
      machine,
      cache,
      calibration: { status: "missing" },
      many: false,
      reuseRecords: false,
    };
  }
}

function edited(context: GradeContext, edits: readonly Edit[]): Map<string, string> {
  const sources = new Map(context.task.sources);
  for (const [file, from, to] of edits) {
    const text = sources.get(file) ?? "";
    if (from !== "" && text.split(from).length !== 2) throw new Error(`not there once: ${from}`);
    sources.set(file, from === "" ? `${text}${to}\n` : text.replace(from, () => to));
  }
  return sources;
}

/** What all stages find; `built` says whether the candidate compiles at all. */
export async function inspect(
  context: GradeContext,
  edits: readonly Edit[],
): Promise<{ built: boolean; findings: Finding[] }> {
  const sources = edited(context, edits);
  const before = inspectSources(context.task, sources);
  const tree = layTree(context, sources);
  const [target] = context.task.layers.visible;
  if (!target) throw new Error("the task has no target");
  const kit = await openKit(context.toolchain, target.sanitizers, context.machine, context.cache);
  const cxxflags = candidateFlagsOf(target.cxxflags);
  const flags = { compiler: context.toolchain.compiler, includeDirs: context.task.includeDirs, cxxflags };
  const candidate = await buildCandidate(context, kit, flags, tree);
  if (!candidate.built) return { built: false, findings: before };
  const after = await inspectBuilt(
    context,
    tree,
    tree,
    [{ candidate: candidate.value, kit, flags }],
    await inspectTree(context, tree),
  );
  return { built: true, findings: [...before, ...after] };
}

export function kindsOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(({ kind }) => kind))];
}
