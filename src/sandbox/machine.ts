/** This machine as a grade sees it: a bounded number of sandboxes at a time, and a work folder that goes away. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import pLimit, { type LimitFunction } from "p-limit";
import { GraderError } from "../model/errors.ts";
import {
  type Bind,
  findSandbox,
  runSandboxed,
  type SandboxPrograms,
  type SandboxResult,
  type SandboxSpec,
} from "./sandbox.ts";

/** How to open a {@link Machine}. */
export interface MachineOptions {
  /** A PATH-like list to find programs on. */
  readonly path: string;
  /** Folder for work folders, such as the system's temporary folder. */
  readonly tmpRoot: string;
  /** Sandboxes at a time; the number of cores by default. */
  readonly jobs?: number;
  /** Ends every sandbox and makes further runs throw. */
  readonly signal?: AbortSignal;
  /** Leave the work folder where it is when the machine is closed. */
  readonly keep?: boolean;
}

/** First of the user ids that sandboxes run under when root starts them; below the range of real accounts. */
const firstUid = 61_184;
const uidCount = 3_000;
const workPrefix = "hidden-oracle-";
/** Where POSIX shared memory lives, on Linux a tmpfs: proc(5), shm_overview(7). */
const memoryRoot = "/dev/shm";
/** `f_type` of a tmpfs: statfs(2). */
const tmpfsMagic = 0x01021994;

/** A spec whose user and interruption are the machine's to choose. */
export type MachineSpec = Omit<SandboxSpec, "uid" | "signal">;

/** What a machine and its scopes have in common. */
interface Shared {
  readonly programs: SandboxPrograms;
  readonly path: string;
  readonly jobs: number;
  readonly unprivileged: boolean;
  readonly keep: boolean;
  readonly limit: LimitFunction;
  readonly freeUids: number[];
  /** Work folders of closed scopes that are still being taken away. */
  readonly removals: Set<Promise<void>>;
}

/** Runs sandboxes on a bounded number of slots; when root starts it, each slot has a user id of its own. */
export class Machine implements AsyncDisposable {
  readonly programs: SandboxPrograms;
  readonly path: string;
  readonly workFolder: string;
  readonly jobs: number;
  readonly unprivileged: boolean;
  readonly #shared: Shared;
  readonly #signal: AbortSignal;
  readonly #isScope: boolean;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<SandboxResult>>();
  readonly #inMemory: string[] = [];
  #folders = 0;

  private constructor(shared: Shared, workFolder: string, isScope: boolean, signal?: AbortSignal) {
    this.#shared = shared;
    this.#isScope = isScope;
    ({ programs: this.programs, path: this.path, jobs: this.jobs, unprivileged: this.unprivileged } = shared);
    this.workFolder = workFolder;
    const closing = this.#closing.signal;
    this.#signal = signal === undefined ? closing : AbortSignal.any([signal, closing]);
  }

  /** @throws GraderError 69 when the sandbox is missing or can't read the work folder, 75 when that can't be made. */
  static open(options: MachineOptions): Machine {
    if (process.platform !== "linux")
      throw new GraderError(69, `no sandbox on this system · ${process.platform}`, {
        hint: "grade on Linux",
      });
    const jobs = options.jobs ?? availableParallelism();
    const base = (process.pid * 16) % uidCount;
    const shared: Shared = {
      programs: findSandbox(options.path),
      path: options.path,
      jobs,
      unprivileged: process.getuid?.() !== 0,
      keep: options.keep ?? false,
      limit: pLimit(jobs),
      removals: new Set(),
      freeUids: Array.from({ length: jobs }, (_, i) => firstUid + ((base + i) % uidCount)),
    };
    sweepAbandoned(options.tmpRoot);
    const workFolder = makeWorkFolder(options.tmpRoot, shared.keep);
    if (!shared.unprivileged) assertReachable(workFolder);
    return new Machine(shared, workFolder, false, options.signal);
  }

  /** The same machine with a work folder of its own, to be closed when one piece of work is done. */
  scope(name: string): Machine {
    return new Machine(this.#shared, this.newFolder(name), true, this.#signal);
  }

  /**
   * The same machine with a work folder that is memory alone; it goes away with this machine.
   *
   * @throws GraderError 69 where there is no file system in memory.
   */
  scopeInMemory(): Machine {
    if (!isInMemory(memoryRoot))
      throw new GraderError(69, `no file system in memory · ${memoryRoot} is not a tmpfs`, {
        hint: `mount one: mount -t tmpfs -o mode=1777 tmpfs ${memoryRoot}`,
      });
    sweepAbandoned(memoryRoot);
    const folder = makeWorkFolder(memoryRoot, false);
    this.#inMemory.push(folder);
    return new Machine(this.#shared, folder, true, this.#signal);
  }

  /** A new empty folder inside the work folder. */
  newFolder(name: string): string {
    const folder = join(this.workFolder, `${name}-${this.#folders++}`);
    mkdirSync(folder, { mode: 0o755 });
    return folder;
  }

  /** Waits for a slot and runs `spec` there. Writable binds are handed to the slot's user first. */
  run(spec: MachineSpec): Promise<SandboxResult> {
    const running = this.#shared.limit(async () => {
      this.throwIfInterrupted();
      const uid = this.unprivileged ? undefined : this.#shared.freeUids.pop();
      try {
        if (uid !== undefined) for (const bind of spec.binds) handOver(bind, uid);
        const who = uid === undefined ? {} : { uid };
        const result = await runSandboxed(this.programs, { ...spec, ...who, signal: this.#signal });
        this.throwIfInterrupted();
        return result;
      } finally {
        if (uid !== undefined) this.#shared.freeUids.push(uid);
      }
    });
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** @throws GraderError 130 or 143 once the caller was asked to stop. */
  throwIfInterrupted(): void {
    if (!this.#signal.aborted) return;
    const reason: unknown = this.#signal.reason;
    throw reason instanceof GraderError ? reason : new GraderError(130, "interrupted");
  }

  /** Ends what still runs, waits for it, and takes the work folder away; a scope's goes while others work on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new GraderError(130, "the machine was closed"));
    await Promise.allSettled(this.#running);
    if (this.#shared.keep) return;
    const { removals } = this.#shared;
    if (this.#isScope) {
      // What it can't take away, the machine does when it is closed.
      const removal = rm(this.workFolder, removing).catch(() => undefined);
      removals.add(removal);
      removal.finally(() => removals.delete(removal));
      return;
    }
    await Promise.all(removals);
    for (const folder of [...this.#inMemory, this.workFolder]) rmSync(folder, removing);
  }
}

function handOver({ from, writable, withContents }: Bind, uid: number): void {
  if (!writable) return;
  chownSync(from, uid, uid);
  if (!withContents) return;
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" }))
    lchownSync(join(from, path), uid, uid);
}

const removing = { recursive: true, force: true, maxRetries: 3 } as const;

function isInMemory(folder: string): boolean {
  return existsSync(folder) && statfsSync(folder).type === tmpfsMagic;
}

function makeWorkFolder(tmpRoot: string, keep: boolean): string {
  try {
    // What is to be kept has a name that the next start does not take for abandoned.
    const folder = mkdtempSync(join(tmpRoot, `${workPrefix}${keep ? "kept" : process.pid}-`));
    // Others may pass through but not list: the sandboxes' users must reach what is bound from here.
    chmodSync(folder, 0o711);
    return folder;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new GraderError(75, `cannot make a work folder in ${tmpRoot} · ${code}`, {
      hint: "free space there, or set TMPDIR to a folder that can be written",
      cause: error,
    });
  }
}

/** Removes work folders of this user whose process is gone: what a SIGKILL left behind. */
function sweepAbandoned(tmpRoot: string): void {
  for (const name of listFolder(tmpRoot)) {
    const pid = name.startsWith(workPrefix) ? Number.parseInt(name.slice(workPrefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(tmpRoot, name);
    if (statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new GraderError(75, `cannot read the temporary folder ${folder}`, {
      hint: "set TMPDIR to a folder that can be read and written",
      cause: error,
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Started by root, sandboxes run under other users, who must be able to pass through every folder above.
 *
 * @throws GraderError 69 naming the folder that is closed to them.
 */
export function assertReachable(folder: string): void {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0)
      throw new GraderError(69, `sandboxes can't reach ${folder} · ${at} is closed to other users`, {
        hint: "choose a folder that others may pass through (TMPDIR, HIDDEN_ORACLE_CACHE)",
      });
    if (at === dirname(at)) return;
  }
}
