/** The texts of a repository's history: every version of every file, and what commits and tags say. */
import { join, relative } from "node:path";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Machine } from "../sandbox/machine.ts";
import { findProgram, systemBinds } from "../sandbox/sandbox.ts";
import { findRepository, gitEnv, inside } from "./git-range.ts";
import { type LeakText, largest, type OnSkip, textsIn } from "./leaks-texts.ts";

/** Objects are fetched in batches of about this many bytes. */
const batchBytes = 16 * 1024 * 1024;
/** A list of all objects: some two million. */
const listBytes = 256 * 1024 * 1024;

/** Runs git in the sandbox, which has no network, and with nothing of the caller's settings. */
type Git = (args: readonly string[], options: { stdin?: string; keep: number }) => Promise<Buffer>;

interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  readonly path: string;
}

/** A history that can be read. */
export interface History {
  texts(isExcluded: (path: string) => boolean, onSkip: OnSkip): AsyncGenerator<LeakText>;
  /** The first commit that brought an object in, shortened; undefined when none did. */
  commitOf(id: string): Promise<string | undefined>;
}

/** Of all references, or of a range. @throws GraderError 64 for what is no range, 66 where there is no repository, 69 without git. */
export function openHistory(folder: string, range: string | undefined, machine: Machine): History {
  if (range?.startsWith("-") || range === "")
    throw new GraderError(ExitCode.usage, `not a range of commits · ${range}`, {
      hint: "name one as in --git main..HEAD",
    });
  const git = gitIn(folder, machine);
  const which = range === undefined ? ["--all"] : [range];
  return {
    texts: (isExcluded, onSkip) => textsOfHistory(git, which, isExcluded, onSkip),
    commitOf: async (id) => {
      const args = [
        "log",
        "--reverse",
        "--format=%h",
        "--no-ext-diff",
        "--no-textconv",
        `--find-object=${id}`,
      ];
      const said = await git([...args, ...which, "--"], { keep: 1 << 20 });
      return said.toString("latin1").split("\n")[0] || undefined;
    },
  };
}

async function* textsOfHistory(
  git: Git,
  which: readonly string[],
  isExcluded: (path: string) => boolean,
  onSkip: OnSkip,
): AsyncGenerator<LeakText> {
  const list = await git(["rev-list", "--objects", ...which, "--"], { keep: listBytes });
  const wanted = (await sizesOf(git, list.toString("utf8"))).filter(
    ({ path }) => path === "" || !isExcluded(path),
  );
  for (const batch of batchesOf(wanted, onSkip)) {
    const stdin = batch.map(({ id }) => `${id}\n`).join("");
    const room = batch.reduce((sum, { size }) => sum + size + 128, 0);
    const bytes = await git(["cat-file", "--batch"], { stdin, keep: room });
    yield* splitBatch(bytes, batch, onSkip);
  }
}

async function sizesOf(git: Git, list: string): Promise<GitObject[]> {
  const format = "--batch-check=%(objectname) %(objecttype) %(objectsize) %(rest)";
  const checked = await git(["cat-file", format], { stdin: list, keep: listBytes });
  return checked
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [, id, type, size, path = ""] = /^([\da-f]{40,64}) (\w+) (\d+) ?(.*)$/.exec(line) ?? [];
      if (id === undefined || type === undefined || type === "tree") return [];
      return [{ id, type, size: Number(size), path }];
    });
}

function* batchesOf(objects: readonly GitObject[], onSkip: OnSkip): Generator<GitObject[]> {
  let [batch, bytes]: [GitObject[], number] = [[], 0];
  for (const object of objects) {
    if (object.size > largest) {
      onSkip({ file: nameOf(object), why: "over 64 MiB", isFault: false });
      continue;
    }
    if (batch.length > 0 && bytes + object.size > batchBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(object);
    bytes += object.size;
  }
  if (batch.length > 0) yield batch;
}

/** `<id> <type> <size>`, the bytes, and a line end for each. */
function* splitBatch(bytes: Buffer, batch: readonly GitObject[], onSkip: OnSkip): Generator<LeakText> {
  let at = 0;
  for (const object of batch) {
    const start = bytes.indexOf(10, at) + 1;
    if (start === 0 || bytes.length < start + object.size)
      throw new GraderError(66, `git can't give an object of the history · ${object.id}`, {
        hint: "see what `git fsck` says",
      });
    const content = bytes.subarray(start, start + object.size);
    at = start + object.size + 1;
    for (const text of textsIn(nameOf(object), content, onSkip)) yield { ...text, commit: object.id };
  }
}

function nameOf({ type, path, id }: GitObject): string {
  return type === "blob" ? path || id.slice(0, 12) : type === "commit" ? "commit message" : `${type} message`;
}

function gitIn(folder: string, machine: Machine): Git {
  const program = findProgram("git", machine.path);
  if (program === undefined)
    throw new GraderError(69, "git is not on PATH", { hint: "install git, or give the texts as files" });
  const repository = findRepository(folder);
  return async (args, { stdin, keep }) => {
    const result = await machine.run({
      argv: [program, "--no-pager", ...args],
      binds: [...systemBinds().binds, ...repository.binds],
      cwd: join(inside.tree, relative(repository.top, folder)),
      env: { ...gitEnv, ...repository.env, GIT_NO_REPLACE_OBJECTS: "1", GIT_NO_LAZY_FETCH: "1" },
      tmpBytes: 16 << 20,
      // Half of what is kept is the head, and all of it must be there.
      keepBytes: 2 * keep,
      maxBytes: 4 * keep + (1 << 20),
      wallMs: 600_000,
      kernelLimits: { cpuSeconds: 300 },
      ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
    });
    if (result.innerCode === 0 && !result.stdout.truncated) return Buffer.from(result.stdout.text, "latin1");
    const said = result.stderr.text.trim().split("\n")[0] || `ended by ${result.ended}`;
    throw new GraderError(66, `git can't give the history · ${said}`, {
      hint: "name commits that exist, as in --git main..HEAD; a clone must hold all of their objects",
    });
  };
}
