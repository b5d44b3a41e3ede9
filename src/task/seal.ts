/** The oracle encrypted at rest with age: which files are sealed, how they are opened, how they are closed. */
import { realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Decrypter, Encrypter } from "age-encryption";
import * as z from "zod/mini";
import { GraderError } from "../model/errors.ts";
import { decoded } from "../model/patch-diff.ts";
import type { Bytes, Target, Task } from "../model/task.ts";
import { holdName } from "../sandbox/sole-holder.ts";
import { readInside, readRegular, realRoot, writeWhole } from "./files.ts";

/** Schema of `manifest.seal.json`. */
const sealSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Public keys of those who can open it. */
  recipients: z.array(z.string()).check(z.minLength(1)),
  /** Paths as the manifest knows them; each lies beside it with {@link sealedSuffix}. */
  files: z.array(z.string()).check(z.minLength(1)),
});

export type Seal = z.infer<typeof sealSchema>;

/** What a sealed file's name ends in. */
const sealedSuffix = ".age";

/** The library takes longer to load than a grade without it may; few tasks are sealed. */
function loadAge() {
  return import("age-encryption");
}

/** `manifest.seal.json` for `manifest.json`. */
export function sealPath(manifestPath: string): string {
  return join(dirname(manifestPath), `${basename(manifestPath, ".json")}.seal.json`);
}

/** What is sealed of a task; undefined where nothing is. @throws GraderError 65 when the list is no such list. */
export function readSeal(manifestPath: string): Seal | undefined {
  const path = sealPath(manifestPath);
  const read = readRegular(path);
  if ("fault" in read && read.isMissing) return undefined;
  const fault = "fault" in read ? `: it ${read.fault}` : "";
  try {
    const parsed = "bytes" in read ? sealSchema.safeParse(JSON.parse(decoded(read.bytes))) : undefined;
    if (parsed?.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new GraderError(65, `not a list of sealed files${fault} · ${path}`, {
    hint: "restore it from the repository",
  });
}

/**
 * Texts of all sealed files by path, opened in memory.
 *
 * @param identity Text of an age identity file; undefined where nobody gave one.
 * @throws GraderError 66 without a usable identity, 65 when a file is not what it should be or another key's.
 */
export function openSeal(
  root: string,
  seal: Seal,
  identity: string | undefined,
): Promise<ReadonlyMap<string, Bytes>> {
  return openEach(seal, identity, async (path, decrypter) => {
    if ("bytes" in readInside(root, path))
      throw new GraderError(65, `a file is sealed and readable at once · ${path}`, {
        hint: "a seal or unseal was interrupted: run `hidden-oracle unseal`, then seal the task again",
      });
    return decrypt(decrypter, sealedBytes(root, path), path);
  });
}

/**
 * Texts of all that is listed, from whichever form is there: what an interrupted seal or unseal left can be undone.
 *
 * @throws GraderError as {@link openSeal} does, and 65 when a file is there in two forms that differ.
 */
export function recoverSeal(
  root: string,
  seal: Seal,
  identity: string | undefined,
): Promise<ReadonlyMap<string, Bytes>> {
  return openEach(seal, identity, async (path, decrypter) => {
    const plain = readInside(root, path);
    const isSealed = "bytes" in readInside(root, path + sealedSuffix, "none");
    if (!isSealed && "bytes" in plain) return plain.bytes;
    const bytes = await decrypt(decrypter, sealedBytes(root, path), path);
    if ("bytes" in plain && plain.bytes !== bytes)
      throw new GraderError(65, `${path} differs from what is sealed of it`, {
        hint: `keep the right one of ${path} and ${path}${sealedSuffix}, and delete the other`,
      });
    return bytes;
  });
}

async function openEach(
  seal: Seal,
  identity: string | undefined,
  open: (path: string, decrypter: Decrypter) => Promise<Bytes>,
): Promise<ReadonlyMap<string, Bytes>> {
  const decrypter = await decrypterOf(identity, seal.files[0] ?? "the oracle");
  const texts = seal.files.map(async (path): Promise<[string, Bytes]> => [path, await open(path, decrypter)]);
  return new Map(await Promise.all(texts));
}

function sealedBytes(root: string, path: string): Bytes {
  const sealed = readInside(root, path + sealedSuffix, "none");
  if ("bytes" in sealed) return sealed.bytes;
  throw new GraderError(65, `sealed file ${sealed.fault} · ${path}${sealedSuffix}`, {
    hint: "restore it from the repository",
  });
}

async function decrypt(decrypter: Decrypter, sealed: Bytes, path: string): Promise<Bytes> {
  const { armor } = await loadAge();
  try {
    const plain = await decrypter.decrypt(armor.decode(sealed));
    return Buffer.from(plain).toString("latin1");
  } catch (cause) {
    // The library has no error classes; its words for a key that fits none of the recipients are these.
    const isOtherKey = cause instanceof Error && /no identity matched/i.test(cause.message);
    throw new GraderError(
      65,
      isOtherKey ? `the identity does not open ${path}${sealedSuffix}` : `${path}${sealedSuffix} is damaged`,
      {
        hint: isOtherKey
          ? "give the identity of one of the recipients in the list of sealed files"
          : "restore it from the repository",
      },
    );
  }
}

async function decrypterOf(identity: string | undefined, sealed: string): Promise<Decrypter> {
  if (identity === undefined)
    throw new GraderError(66, `${sealed} is sealed and no identity was given`, {
      hint: "set HIDDEN_ORACLE_IDENTITY_FILE to an age identity file, or HIDDEN_ORACLE_IDENTITY to the identity itself",
    });
  const keys = identity.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const decrypter = new (await loadAge()).Decrypter();
  try {
    for (const key of keys) decrypter.addIdentity(key.trim());
  } catch {
    // What the library says may quote the key.
    throw notAnIdentity();
  }
  if (keys.length === 0) throw notAnIdentity();
  return decrypter;
}

function notAnIdentity(): GraderError {
  return new GraderError(66, "what was given is no age identity", {
    hint: "it is one line that begins with AGE-SECRET-KEY-",
  });
}

/** What of a task is sealed: its oracle, and with `answers` the patches that are known to be right. */
export function sealableFiles(task: Task, answers: boolean): string[] {
  const shown = new Set([
    ...task.layers.visible.flatMap(filesOf),
    ...task.sources.keys(),
    ...task.headers.keys(),
  ]);
  const oracle = [...task.layers.hidden, ...task.layers.reserve].flatMap(filesOf);
  const data = [...task.manifest.hidden, ...task.manifest.reserve].flatMap(({ stdin }) =>
    typeof stdin === "object" ? [stdin.file] : [],
  );
  const right = answers ? task.recorded.map(({ path }) => path) : [];
  return [...new Set([...oracle, ...data, ...right])].filter((path) => !shown.has(path)).sort();
}

function filesOf({ sources }: Target): string[] {
  return sources.flatMap(({ path, files }) => [path, ...files.map((file) => file.path)]);
}

/**
 * Replaces files by sealed ones. What is there at any moment is either readable or sealed in full.
 *
 * @throws GraderError 64 for a recipient that is none, 65 when a file can't be read, 66 when it can't be written.
 */
export async function sealFiles(
  task: Task,
  files: readonly string[],
  recipients: readonly string[],
): Promise<void> {
  const { armor, Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  // A link would be replaced, and the file behind it stay readable.
  const texts = files.map((path): [string, Bytes] => {
    const read = readInside(realRoot(task.root), path, "none");
    if ("bytes" in read) return [path, read.bytes];
    throw new GraderError(65, `can't seal ${path}: it ${read.fault}`, {
      hint: "put the file itself there, under the name that the manifest gives",
    });
  });
  for (const [path, bytes] of texts) {
    const sealed = armor.encode(await encrypter.encrypt(Buffer.from(bytes, "latin1")));
    writeWhole(join(task.root, path + sealedSuffix), sealed);
  }
  const seal: Seal = { schemaVersion: 1, recipients: [...recipients], files: [...files] };
  writeWhole(sealPath(task.manifestPath), `${JSON.stringify(seal, null, 2)}\n`);
  for (const path of files) rmSync(join(task.root, path));
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new GraderError(64, `not an age recipient · ${recipient}`, {
      hint: "it is one line that begins with age1; `hidden-oracle seal --new-identity FILE` makes a pair",
      cause,
    });
  }
}

/** Puts the files back as they were, and takes the sealed ones away. */
export function unsealFiles(root: string, manifestPath: string, texts: ReadonlyMap<string, Bytes>): void {
  for (const [path, bytes] of texts) writeWhole(join(root, path), Buffer.from(bytes, "latin1"));
  for (const path of texts.keys()) rmSync(join(root, path + sealedSuffix), { force: true });
  rmSync(sealPath(manifestPath));
}

/**
 * Does something to the sealed files of a task while nobody else on this machine does.
 *
 * @throws GraderError 75 while another process is at it.
 */
export async function withSealLock<T>(manifestPath: string, work: () => Promise<T>): Promise<T> {
  const path = join(realpathSync(dirname(manifestPath)), basename(manifestPath));
  const held = await holdName(`seal · ${path}`);
  if (held === null)
    throw new GraderError(75, `another process seals or unseals this task · ${path}`, {
      hint: "wait for it to end",
    });
  try {
    return await work();
  } finally {
    held.close();
  }
}
