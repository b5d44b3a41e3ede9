/** `seal` and `unseal`: the oracle as age files, for a repository that others read. */
import { closeSync, existsSync, openSync, realpathSync, writeSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import { findTask, loadTask, manifestFile } from "../task/load.ts";
import {
  readSeal,
  recoverSeal,
  sealableFiles,
  sealFiles,
  sealPath,
  unsealFiles,
  withSealLock,
} from "../task/seal.ts";
import { readIdentity } from "./identity.ts";
import { readSmall } from "./read-small.ts";
import { writeErr, writeOut } from "./terminal.ts";

/** Flags of `seal`, as they are parsed. */
export interface SealFlags {
  readonly task?: string;
  readonly recipient: readonly string[];
  readonly recipientsFile?: string;
  readonly newIdentity?: string;
  readonly answers?: boolean;
}

/** Seals and prints the paths of what is sealed now. @throws GraderError */
export async function sealCommand(flags: SealFlags): Promise<number> {
  const manifestPath = resolve(manifestFile(flags.task ?? findTask(process.cwd())));
  const { task, files } = await withSealLock(manifestPath, () => seal(manifestPath, flags));
  await writeOut(files.map((path) => `${path}.age\n`).join(""));
  const readable = task.recorded.filter(({ path, expected }) => expected === "PASS" && !files.includes(path));
  if (readable.length > 0)
    writeErr(`note: right answers stay readable (${readable[0]?.path}, …): --answers seals them too`);
  writeErr("note: earlier commits and backups still hold what was sealed just now");
  return 0;
}

async function seal(manifestPath: string, flags: SealFlags): Promise<{ task: Task; files: string[] }> {
  if (readSeal(manifestPath) !== undefined)
    throw new GraderError(65, `the task is sealed already · ${sealPath(manifestPath)}`, {
      hint: "run `hidden-oracle unseal` first",
    });
  const task = await loadTask(manifestPath);
  const files = sealableFiles(task, flags.answers ?? false);
  if (files.length === 0)
    throw new GraderError(65, "there is nothing to seal: all of the oracle is shown to the model anyway");
  await sealFiles(task, files, await recipientsOf(flags, task.root));
  return { task, files };
}

async function recipientsOf(
  { recipient, recipientsFile, newIdentity }: SealFlags,
  root: string,
): Promise<string[]> {
  const listed = recipientsFile === undefined ? [] : linesOf(recipientsFile);
  const fresh = newIdentity === undefined ? [] : [await makeIdentity(newIdentity, root)];
  const all = [...recipient, ...listed, ...fresh];
  if (all.length > 0) return all;
  throw new GraderError(ExitCode.usage, "nobody could open what is sealed for nobody", {
    hint: "name who can with --recipient age1…, --recipients-file FILE or --new-identity FILE",
  });
}

function linesOf(file: string): string[] {
  const lines = readSmall(file, 1 << 20)
    .toString("utf8")
    .split(/\r?\n/);
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

/** Writes a new identity that nobody else may read, and gives its recipient. */
async function makeIdentity(file: string, root: string): Promise<string> {
  assertOutside(file, root);
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  try {
    const fd = openSync(file, "wx", 0o600);
    writeSync(fd, `# recipient: ${recipient}\n${identity}\n`);
    closeSync(fd);
  } catch (cause) {
    throw new GraderError(
      66,
      `cannot write a new identity to ${file} · ${(cause as NodeJS.ErrnoException).code}`,
      {
        hint: "name a file that does not exist yet; to seal for a key that is there, give its `# recipient:` line to --recipient",
        cause,
      },
    );
  }
  writeErr(`identity: ${file} (keep it where no model can read it)`);
  return recipient;
}

/** A key beside what it opens would be published with it. */
function assertOutside(file: string, root: string): void {
  const folder = dirname(resolve(file));
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  const inside = relative(realpathSync(root), real);
  if (inside === ".." || inside.startsWith(`..${sep}`)) return;
  throw new GraderError(
    ExitCode.usage,
    `the key would lie in the task folder, beside what it opens · ${file}`,
    {
      hint: "name a file outside of it, and outside of its repository",
    },
  );
}

/** Flags of `unseal`, as they are parsed. */
export interface UnsealFlags {
  readonly task?: string;
  readonly identity?: string;
}

/** Opens what is sealed, in place, and prints its paths; also what an interrupted seal left. @throws GraderError */
export async function unsealCommand(flags: UnsealFlags): Promise<number> {
  const manifestPath = resolve(manifestFile(flags.task ?? findTask(process.cwd())));
  const files = await withSealLock(manifestPath, async () => {
    const seal = readSeal(manifestPath);
    if (seal === undefined) throw new GraderError(65, `nothing of the task is sealed · ${manifestPath}`);
    const root = realpathSync(dirname(manifestPath));
    unsealFiles(root, manifestPath, await recoverSeal(root, seal, readIdentity(flags.identity)));
    return seal.files;
  });
  await writeOut(files.map((path) => `${path}\n`).join(""));
  return 0;
}
