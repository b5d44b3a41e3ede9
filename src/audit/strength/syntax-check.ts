/** Every error that the compiler finds in a tree without making anything of it. */

import type { GradeContext } from "../../grade/context.ts";
import { compileEnv, inside, openKit } from "../../grade/kit.ts";
import { layTree } from "../../grade/prepare.ts";
import { candidateFlagsOf, harnessFlags } from "../../model/build-plan.ts";
import { type FileTree, isHeader, isUnit } from "../../model/task.ts";
import { systemBinds } from "../../sandbox/sandbox.ts";

/** What the compiler says about all units, and about the headers where there are no units. */
export async function syntaxErrors(context: GradeContext, files: FileTree): Promise<string> {
  const { task, toolchain, machine, cache } = context;
  const [target] = task.layers.visible;
  if (target === undefined) return "";
  const kit = await openKit(toolchain, target.sanitizers, machine, cache);
  const tree = layTree(context, files).folder;
  const units = [...files.keys()].filter(isUnit);
  const headers = [...files.keys()].filter(isHeader).map((path) => `#include "${path}"\n`);
  const result = await machine.run({
    argv: [
      toolchain.compiler,
      ...candidateFlagsOf(target.cxxflags),
      ...harnessFlags,
      "-fmax-errors=0",
      "-fsyntax-only",
      ...task.includeDirs.flatMap((dir) => ["-I", dir]),
      ...["-I", "."],
      ...units,
      ...(units.length === 0 ? ["-x", "c++", "-"] : []),
    ],
    binds: [...systemBinds().binds, { from: kit.buildFolder, to: inside.build }, { from: tree, to: "/w" }],
    cwd: "/w",
    env: compileEnv,
    tmpBytes: 1 << 30,
    keepBytes: 4 << 20,
    wallMs: task.manifest.limits.compileSeconds * 4000 + 30_000,
    kernelLimits: { cpuSeconds: task.manifest.limits.compileSeconds },
    ...(units.length === 0 ? { stdin: Buffer.from(headers.join("")) } : {}),
  });
  return result.stderr.text;
}
