/** Runs one build command in the compile sandbox and tells the candidate's failures from the machine's. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { BuildStep } from "../model/build-plan.ts";
import { GraderError } from "../model/errors.ts";
import type { Limits } from "../model/manifest.ts";
import type { Finding } from "../model/outcome.ts";
import type { Machine } from "../sandbox/machine.ts";
import { type Bind, type SandboxResult, systemBinds } from "../sandbox/sandbox.ts";
import { compileEnv, inside, type Kit } from "./kit.ts";

/** What a build came to. A failure is the fault of the text that was compiled. */
export type Built<T> =
  | { readonly built: true; readonly value: T }
  | {
      readonly built: false;
      readonly cause: "compile-error" | "link-error";
      readonly detail: string;
      readonly findings: readonly Finding[];
    };

/** Where a step's inputs and outputs are on the host. */
export interface StepFolders {
  /** The patched tree, as `/w`; absent for links. */
  readonly tree?: string;
  /** Output, as `/o`. */
  readonly out: string;
  readonly more?: readonly Bind[];
}

/** What a step may use; the numbers of the manifest's `limits`. */
export type CompileLimits = Pick<Limits, "compileSeconds" | "compileMemoryMiB">;

const mib = 1024 * 1024;

/**
 * Runs one build command where neither tests nor oracle nor task folder exist.
 *
 * @throws GraderError 69 when the sandbox fails, 75 when the machine is out of space, memory or time.
 */
export async function runBuildStep(
  machine: Machine,
  kit: Kit,
  step: BuildStep,
  folders: StepFolders,
  limits: CompileLimits,
  stdin?: Uint8Array,
): Promise<Built<null>> {
  const binds: Bind[] = [
    ...systemBinds().binds,
    { from: kit.buildFolder, to: inside.build },
    ...(folders.more ?? []),
  ];
  if (folders.tree !== undefined) binds.push({ from: folders.tree, to: "/w" });
  binds.push({ from: folders.out, to: "/o", writable: true });
  const oomBefore = oomKills();
  const result = await machine.run({
    argv: step.argv,
    binds,
    cwd: folders.tree === undefined ? "/o" : "/w",
    env: compileEnv,
    tmpBytes: 1024 * mib,
    keepBytes: 64 * 1024,
    maxBytes: 64 * mib,
    // The CPU limit judges; the wall is there for a machine that gives no CPU. A build is up to three programs.
    wallMs: limits.compileSeconds * 4000 + 30_000,
    kernelLimits: {
      cpuSeconds: limits.compileSeconds,
      addressSpaceBytes: limits.compileMemoryMiB * mib,
      fileBytes: 256 * mib,
    },
    ...(stdin === undefined ? {} : { stdin }),
  });
  if (result.innerCode === 0 && result.ended === "itself") return { built: true, value: null };
  throwMachineFault(result, step, folders.out, oomBefore);
  return failure(result, step, limits);
}

/** Text may name a fault of the machine, but only a measurement makes it one. */
function throwMachineFault(result: SandboxResult, step: BuildStep, out: string, oomBefore: number): void {
  const said = result.stderr.text;
  if (result.ended === "wall")
    throw new GraderError(75, `the machine gave a compile no CPU time · ${step.what}`, {
      hint: "try again on a less busy machine",
    });
  if (/No space left on device/.test(said) && !canWrite(out))
    throw new GraderError(75, `no space left · ${out}`, {
      hint: "free space there, or set TMPDIR to another disk",
    });
  if (oomKills() > oomBefore)
    throw new GraderError(75, `the machine ran out of memory · ${step.what}`, {
      hint: "free memory, or lower --jobs",
    });
  if (result.innerCode === null && result.ended === "itself") throw sandboxFault(said);
}

/** A sandbox that did not come up: lacking resources pass, anything else needs mending. */
export function sandboxFault(said: string): GraderError {
  const passing =
    /No space left|Cannot allocate memory|Resource temporarily unavailable|Too many open files/.test(said);
  return new GraderError(
    passing ? 75 : 69,
    `the sandbox failed · ${said.trim().slice(0, 500) || "it said nothing"}`,
    {
      hint: passing
        ? "free space, memory or processes on this machine, then try again"
        : "run `hidden-oracle doctor`",
    },
  );
}

/** How many processes this machine's kernel has killed for want of memory since it started. */
export function oomKills(): number {
  return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
}

function canWrite(folder: string): boolean {
  const probe = join(folder, ".space");
  try {
    writeFileSync(probe, Buffer.alloc(4 * mib));
    return true;
  } catch (error) {
    if (["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  } finally {
    rmSync(probe, { force: true });
  }
}

function failure(result: SandboxResult, step: BuildStep, limits: CompileLimits): Built<null> {
  // Names of the kit are secrets; see `hideNames` in kit.ts.
  const text = result.stderr.text.replace(/\bho_\w+/g, "check");
  const cause = /undefined reference|multiple definition|ld returned \d+ exit status/.test(text)
    ? "link-error"
    : "compile-error";
  const findings = compilerFindings(text);
  const [first] = findings;
  const limit = limitThatHit(result, limits);
  const place = first?.file === undefined ? "" : `${first.file}:${first.line}: `;
  const detail = limit ? `${step.what} ${limit}` : first ? `${place}${first.message}` : lastWords(text, step);
  return { built: false, cause, detail: detail.slice(0, 500), findings };
}

/** What the assembler or the linker said, without the names of temporary files. */
function lastWords(text: string, step: BuildStep): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("collect2:"));
  const telling = lines.find((line) => /error|undefined|multiple|cannot/i.test(line)) ?? lines.at(-1);
  return (
    telling?.replace(/\/tmp\/\w+\.([so])/g, "unit.$1").replace(/^\S*\/ld: /, "") ?? `${step.what} failed`
  );
}

function limitThatHit(result: SandboxResult, limits: CompileLimits): string | undefined {
  const text = result.stderr.text;
  if (result.ended === "output") return "was stopped: its messages have no end";
  if (/File size limit exceeded/.test(text)) return "was stopped: its output is too large";
  if (/CPU time limit exceeded|Killed signal/.test(text))
    return `was stopped by its limit of ${limits.compileSeconds} s of CPU time`;
  if (/out of memory|virtual memory exhausted|cannot allocate|Cannot allocate memory|bad_alloc/.test(text))
    return `was stopped by its limit of ${limits.compileMemoryMiB} MiB of memory`;
  return undefined;
}

/** Errors that the compiler reports, at most five, with paths of the tree alone. */
export function compilerFindings(text: string): Finding[] {
  const found: Finding[] = [];
  for (const line of text.split("\n")) {
    const match = /^(?:\/w\/)?([^\s:][^:]*):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$/.exec(line);
    if (match?.[1] === undefined || match[3] === undefined) continue;
    found.push({
      kind: "compile-error",
      file: posix.normalize(match[1]),
      line: Number(match[2]),
      message: match[3],
    });
    if (found.length === 5) break;
  }
  return found;
}
