/** The diff of a range of commits, for `grade --git`: git runs in the sandbox, since a repository's settings can start programs. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import type { Machine } from "../sandbox/machine.ts";
import { type Bind, findProgram, systemBinds } from "../sandbox/sandbox.ts";
import { readSmall } from "./read-small.ts";

/** One byte more than the largest patch. */
const most = 8 * 1024 * 1024 + 1;

/** Names inside the sandbox: work tree, and git's folder where that lies elsewhere. */
export const inside = { tree: "/r", git: "/g" } as const;

/** The argv: nothing that the repository's settings say may change the form of the diff. */
export function gitDiffArgv(git: string, range: string): [string, ...string[]] {
  const form = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=3", "--inter-hunk-context=0"];
  const names = ["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--relative"];
  return [git, "--no-pager", "diff", ...form, ...names, range, "--", "."];
}

/** @throws GraderError 64 or 66 when the range is none, 69 when git is missing. */
export async function gitDiff(
  task: Pick<Task, "root">,
  range: string,
  machine: Machine,
): Promise<Uint8Array> {
  if (range.startsWith("-") || range === "")
    throw new GraderError(ExitCode.usage, `not a range of commits · ${range}`, {
      hint: "name one as in --git main..HEAD",
    });
  const git = findProgram("git", machine.path);
  if (git === undefined)
    throw new GraderError(69, "git is not on PATH", { hint: "install git, or give the diff as a file" });
  const repository = findRepository(task.root);
  const result = await machine.run({
    argv: gitDiffArgv(git, range),
    binds: [...systemBinds().binds, ...repository.binds],
    cwd: join(inside.tree, relative(repository.top, task.root)),
    env: { ...gitEnv, ...repository.env },
    tmpBytes: 16 << 20,
    keepBytes: 2 * most,
    maxBytes: 8 * most,
    wallMs: 120_000,
    kernelLimits: { cpuSeconds: 60 },
  });
  if (result.innerCode === 0 || result.stdout.bytes >= most)
    return Buffer.from(result.stdout.text, "latin1").subarray(0, most);
  const said = result.stderr.text.trim().split("\n")[0] ?? "";
  if (result.innerCode === null && result.ended === "itself")
    throw new GraderError(66, `git can't be started in ${repository.top} · ${said}`, {
      hint: "git runs there as another user: let others read the repository, or give the diff as a file",
    });
  throw new GraderError(66, `git can't give the diff of ${range} · ${said || `ended by ${result.ended}`}`, {
    hint: "name commits that exist in the repository of the task folder, as in --git main..HEAD",
  });
}

/** What git may know of its surroundings: nothing of the caller's. */
export const gitEnv = {
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  HOME: "/tmp",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_COUNT: "1",
  // The repository belongs to somebody else inside.
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
} as const;

/** Where a repository is, for the sandbox. */
export interface Repository {
  readonly top: string;
  readonly binds: readonly Bind[];
  readonly env: Readonly<Record<string, string>>;
}

/** The repository around a folder; a linked work tree has its git folder elsewhere. */
export function findRepository(folder: string): Repository {
  let top = folder;
  while (!existsSync(join(top, ".git"))) {
    if (top === dirname(top))
      throw new GraderError(66, `the folder is in no git repository · ${folder}`, {
        hint: "give the diff as a file, or run this in a clone",
      });
    top = dirname(top);
  }
  const tree: Bind = { from: top, to: inside.tree };
  const dotGit = join(top, ".git");
  if (statSync(dotGit).isDirectory()) return { top, binds: [tree], env: {} };
  const git = resolve(
    top,
    pathIn(dotGit)
      .replace(/^gitdir:/, "")
      .trim(),
  );
  const shared = join(git, "commondir");
  const common = existsSync(shared) ? resolve(git, pathIn(shared).trim()) : git;
  // A linked work tree's own folder lies in the common one, and finds it by a relative path.
  return {
    top,
    binds: [tree, { from: common, to: inside.git }],
    env: { GIT_DIR: join(inside.git, relative(common, git)), GIT_WORK_TREE: inside.tree },
  };
}

function pathIn(file: string): string {
  return readSmall(file, 64 * 1024).toString("utf8");
}
