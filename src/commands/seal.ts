/** `seal` and `unseal`: the oracle as age files, for a repository that others read. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { ExitCode, GraderError } from "../model/errors.ts";
import { findTask, loadTask } from "../task/load.ts";
import { openSeal, readSeal, sealableFiles, sealFiles, sealPath, unsealFiles } from "../task/seal.ts";
import { readIdentity } from "./identity.ts";
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
  const where = flags.task ?? findTask(process.cwd());
  const task = await loadTask(where, { identity: readIdentity(undefined) });
  if (task.sealed)
    throw new GraderError(65, `the task is sealed already · ${sealPath(task.manifestPath)}`, {
      hint: "run `hidden-oracle unseal` first",
    });
  const files = sealableFiles(task, flags.answers ?? false);
  if (files.length === 0)
    throw new GraderError(65, "there is nothing to seal: all of the oracle is shown to the model anyway");
  const recipients = await recipientsOf(flags);
  await sealFiles(task, files, recipients);
  await writeOut(files.map((path) => `${path}.age\n`).join(""));
  const readable = task.recorded.filter(({ path, expected }) => expected === "PASS" && !files.includes(path));
  if (readable.length > 0)
    writeErr(`note: right answers stay readable (${readable[0]?.path}, …): --answers seals them too`);
  writeErr("note: earlier commits and backups still hold what was sealed just now");
  return 0;
}

async function recipientsOf({ recipient, recipientsFile, newIdentity }: SealFlags): Promise<string[]> {
  const listed = recipientsFile === undefined ? [] : linesOf(recipientsFile);
  const fresh = newIdentity === undefined ? [] : [await makeIdentity(newIdentity)];
  const all = [...recipient, ...listed, ...fresh];
  if (all.length > 0) return all;
  throw new GraderError(ExitCode.usage, "nobody could open what is sealed for nobody", {
    hint: "name who can with --recipient age1…, --recipients-file FILE or --new-identity FILE",
  });
}

function linesOf(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  } catch (cause) {
    throw new GraderError(66, `cannot read ${file} · ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}

/** Writes a new identity that nobody else may read, and gives its recipient. */
async function makeIdentity(file: string): Promise<string> {
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
        hint: "name a file that does not exist yet",
        cause,
      },
    );
  }
  writeErr(`identity: ${file} (keep it where no model can read it)`);
  return recipient;
}

/** Flags of `unseal`, as they are parsed. */
export interface UnsealFlags {
  readonly task?: string;
  readonly identity?: string;
}

/** Opens what is sealed, in place, and prints its paths. @throws GraderError */
export async function unsealCommand(flags: UnsealFlags): Promise<number> {
  const task = await loadTask(flags.task ?? findTask(process.cwd()), {
    identity: readIdentity(flags.identity),
  });
  const seal = readSeal(task.manifestPath);
  if (seal === undefined) throw new GraderError(65, `nothing of the task is sealed · ${task.manifestPath}`);
  unsealFiles(task.root, task.manifestPath, await openSeal(task.root, seal, readIdentity(flags.identity)));
  await writeOut(seal.files.map((path) => `${path}\n`).join(""));
  return 0;
}
