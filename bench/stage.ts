/** What every measurement needs: folders, a CPU account, and the two programs to hold against each other. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CpuAccount, openCpuAccount, type Spent } from "./cpu-account.ts";
import { type VariantMaker, variantsOf } from "./variants.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const shippedTask = join(root, "examples/bounded-queue");

/** The task, the programs and the account. To be closed. */
export interface Stage {
  readonly task: string;
  readonly variants: VariantMaker;
  readonly account: CpuAccount;
  readonly folder: string;
  /** Runs the yardstick on a patch. */
  reference(patch: string): Promise<Spent>;
  /** Runs `hidden-oracle ARGS` with a cache. */
  ours(args: readonly string[], cache: string, onStart?: (pid: number) => void): Promise<Spent>;
  /** A new cache with what is built once per machine, and nothing of any task. */
  freshCache(): string;
  /** Writes a patch to a file of its own. */
  patchFile(text: string): string;
  /** Writes many patches to a folder of their own; names sort in their order. */
  patchFolder(texts: readonly string[]): string;
  close(): void;
}

/** Opens the stage. `small`: the shipped class under a short oracle instead of the shipped one. */
export async function openStage(small: boolean): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  chmodSync(folder, 0o755);
  const smallTask = makeSmallTask(folder);
  const task = small ? smallTask : shippedTask;
  const account = openCpuAccount();
  const programs = programsOf(account, folder, task);
  const variants = variantsOf(shippedTask);
  const files = filesIn(folder);
  const kit = join(folder, "kit-cache");
  // Another task than the measured one, so that the cache afterwards knows the machine and not the task.
  const other = small ? shippedTask : smallTask;
  const first = files.patchFile(variants.source(0));
  const made = await programs.ours(["grade", first, "--task", other], kit);
  if (made.code !== 0) throw new Error(`the first grade failed, exit ${made.code}\n${made.stderr}`);
  return {
    task,
    variants,
    account,
    folder,
    ...programs,
    ...files,
    freshCache: () => copyKit(kit, mkdtempSync(join(folder, "cache-"))),
    close: () => {
      account.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The shipped class, judged by the visible test and the oracle of the corpus: short ones, as articles have them. */
function makeSmallTask(folder: string): string {
  const task = join(folder, "small-task");
  cpSync(shippedTask, task, { recursive: true });
  for (const file of ["tests/visible.cpp", "oracles/hidden.cpp"])
    cpSync(join(root, "test/corpus/task", file), join(task, file));
  const manifest: unknown = JSON.parse(readFileSync(join(task, "manifest.json"), "utf8"));
  const changes = { id: "small-oracle", hidden: "oracles/hidden.cpp", calibration: {} };
  writeFileSync(join(task, "manifest.json"), JSON.stringify(Object.assign({}, manifest, changes), null, 2));
  return task;
}

function programsOf(account: CpuAccount, folder: string, task: string): Pick<Stage, "reference" | "ours"> {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: folder, TMPDIR: folder };
  const script = join(root, "bench/reference.sh");
  const cli = join(root, "dist/cli.js");
  return {
    reference: (patch) => account.run([script, task, patch], { env, cwd: folder }),
    ours: (args, cache, onStart) =>
      account.run([process.execPath, cli, ...args], {
        env: { ...env, HIDDEN_ORACLE_CACHE: cache },
        cwd: folder,
        ...(onStart === undefined ? {} : { onStart }),
      }),
  };
}

function filesIn(folder: string): Pick<Stage, "patchFile" | "patchFolder"> {
  const write = (into: string, name: string, text: string) => {
    writeFileSync(join(into, name), text);
    return join(into, name);
  };
  return {
    patchFile: (text) => write(mkdtempSync(join(folder, "patch-")), "patch.diff", text),
    patchFolder: (texts) => {
      const into = mkdtempSync(join(folder, "patches-"));
      for (const [i, text] of texts.entries()) write(into, `${String(i).padStart(4, "0")}.diff`, text);
      return into;
    },
  };
}

/** Only what belongs to the machine: the launcher's kit, and which compiler this is. */
function copyKit(from: string, to: string): string {
  chmodSync(to, 0o711);
  for (const version of readdirSync(from)) {
    mkdirSync(join(to, version), { mode: 0o711 });
    for (const kind of ["toolchain", "kit"])
      cpSync(join(from, version, kind), join(to, version, kind), {
        recursive: true,
        preserveTimestamps: true,
      });
    for (const kind of ["toolchain", "kit"]) chmodSync(join(to, version, kind), 0o711);
  }
  return to;
}
