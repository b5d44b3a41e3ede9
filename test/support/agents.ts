/** Agents of the tests: shell scripts in a folder of their own, beside sources that are repaired or overfit. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyPatchText } from "../../src/model/patch.ts";
import { inRepository } from "./repository.ts";

const example = inRepository("examples/bounded-queue");
const sources = ["include/bounded_queue.hpp", "src/bounded_queue.cpp"];

/** The example's sources with one of its recorded patches applied. */
function patched(name: string): ReadonlyMap<string, string> {
  const tree = new Map(sources.map((path) => [path, readFileSync(join(example, path), "latin1")]));
  const patch = readFileSync(join(example, "patches", `${name}.diff`));
  const result = applyPatchText(patch, tree, { sources, protect: [], mode: "reject" });
  if (result.status !== "applied") throw new Error(`${name} does not apply: ${result.message}`);
  return result.tree;
}

/** A folder for `--agent-path`: the program `repair NAME` lays a recorded repair over the checkout. */
export function agentFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "agent-"));
  chmodSync(folder, 0o755);
  for (const name of ["modulo-64-bit", "keeps-power-of-two-mask"])
    for (const [path, bytes] of patched(name)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, "latin1");
    }
  const program = join(folder, "bin/repair");
  mkdirSync(dirname(program));
  writeFileSync(program, `#!/bin/sh\ncp -r ${folder}/"$1"/. .\n`, { mode: 0o755 });
  return folder;
}
