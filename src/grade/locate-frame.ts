/** Finds the candidate's line for a sanitizer's frame in the test's object: code of headers is compiled there. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../sandbox/machine.ts";
import { systemBinds } from "../sandbox/sandbox.ts";
import { pathInTree } from "./findings.ts";
import { compileEnv } from "./kit.ts";
import type { ReadyTarget } from "./run-test.ts";

const frame = /^\s*#\d+ 0x[0-9a-f]+ .*\(\/proc\/self\/fd\/\d+\+0x([0-9a-f]+)\)/gm;
const mostFrames = 16;

/**
 * What is loaded has no line tables, so that the oracle's can't be read where candidates run. They are kept
 * apart and looked at afterwards, in a sandbox: the first frame, or caller that was inlined into it, that lies
 * in the patched tree. Undefined where there is none.
 */
export async function locateInTest(
  machine: Machine,
  { test }: Pick<ReadyTarget, "test">,
  printed: string,
): Promise<{ file: string; line: number } | undefined> {
  const offsets = [...printed.matchAll(frame)].slice(0, mostFrames).map((match) => `0x${match[1]}`);
  if (offsets.length === 0 || test.fullPath === undefined) return undefined;
  // The cache of tests is closed to the sandbox's user.
  const copy = join(machine.newFolder("frames"), "test.so");
  copyFileSync(test.fullPath, copy);
  const result = await machine.run({
    argv: ["/usr/bin/addr2line", "-i", "-e", "/t/test.so", ...offsets],
    binds: [...systemBinds().binds, { from: copy, to: "/t/test.so" }],
    cwd: "/",
    env: compileEnv,
    tmpBytes: 1 << 20,
    keepBytes: 65_536,
    wallMs: 20_000,
    kernelLimits: { cpuSeconds: 10, addressSpaceBytes: 1 << 30 },
  });
  for (const line of result.stdout.text.split("\n")) {
    const match = /^(?:\/w\/)?([^:]+):(\d+)/.exec(line);
    const file = match?.[1] === undefined ? undefined : pathInTree(match[1]);
    if (file !== undefined) return { file, line: Number(match?.[2]) };
  }
  return undefined;
}
