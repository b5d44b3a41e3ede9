/** A folder of things that are expensive to make, each named by a digest of all that it was made from. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GraderError } from "../model/errors.ts";
import { assertReachable } from "../sandbox/machine.ts";
import { makeFolder } from "../sandbox/make-folder.ts";

/** Changes whenever cached things would be made differently by the same inputs. */
export const cacheEpoch = "4";

/** SHA-256 in hex over parts, each length-prefixed so that no two lists of parts collide. */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest("hex");
}

/** Kinds of things kept. `kit` and `pch` are bound into sandboxes; the others are only read by the grader. */
export type CacheKind = "toolchain" | "kit" | "pch" | "test" | "hygiene" | "record";
const boundKinds: readonly CacheKind[] = ["kit", "pch"];
/** Kinds that hold objects of tests, or words about how they went. */
const tellingKinds: readonly CacheKind[] = ["test", "record"];

/** Content-addressed files and folders, safe for concurrent writers: what is there is complete. */
export class Cache {
  readonly root: string;
  readonly #tests: string | undefined;
  readonly #pending = new Map<string, Promise<string>>();
  readonly #making = new Map<string, Promise<unknown>>();

  readonly #private: string | undefined;

  /**
   * @param privateRoot Where kinds that tell of the oracle are kept instead: see {@link withPrivate}.
   * @param tests Where objects of tests are kept instead: see {@link withTestsIn}.
   * @throws GraderError 69 or 75 when the folder can't be made, or sandboxes couldn't reach into it.
   */
  constructor(root: string, privateRoot?: string, tests?: string) {
    this.#private = privateRoot;
    this.#tests = tests;
    this.root = join(root, `v${cacheEpoch}`);
    try {
      makeFolder(resolve(this.root), 0o711);
      for (const kind of ["toolchain", "kit", "pch", "test", "hygiene", "record"] as const)
        mkdirSync(join(this.root, kind), {
          recursive: true,
          mode: boundKinds.includes(kind) ? 0o711 : 0o700,
        });
      if (privateRoot !== undefined)
        for (const kind of tellingKinds) mkdirSync(join(privateRoot, kind), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw cacheFault(root, error);
    }
    if (process.getuid?.() === 0) assertReachable(this.root);
  }

  /** The same cache with whatever is made from tests and oracles in a folder of the caller's, such as one in memory. */
  withPrivate(folder: string): Cache {
    return new Cache(dirname(this.root), folder);
  }

  /** The same cache, but for objects of tests that nobody will ask for again: they go to a folder of the caller's. */
  withTestsIn(folder: string): Cache {
    return new Cache(dirname(this.root), this.#private, folder);
  }

  /** Whether what tells of the oracle is kept apart. */
  get isPrivate(): boolean {
    return this.#private !== undefined;
  }

  pathOf(kind: CacheKind, key: string): string {
    if (kind === "test" && this.#tests !== undefined) return join(this.#tests, key);
    const isApart = this.#private !== undefined && tellingKinds.includes(kind);
    return join(isApart ? this.#private : this.root, kind, key);
  }

  has(kind: CacheKind, key: string): boolean {
    return existsSync(this.pathOf(kind, key));
  }

  /** Forgets what is kept under a key. */
  drop(kind: CacheKind, key: string): void {
    rmSync(this.pathOf(kind, key), { recursive: true, force: true });
  }

  /** The JSON kept under a key, or undefined; a file that can't be parsed counts as absent. */
  readJson(kind: CacheKind, key: string): unknown {
    const path = this.pathOf(kind, `${key}.json`);
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      rmSync(path, { force: true });
      return undefined;
    }
  }

  writeJson(kind: CacheKind, key: string, value: unknown): void {
    const path = this.pathOf(kind, `${key}.json`);
    const draft = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      writeFileSync(draft, JSON.stringify(value));
      renameSync(draft, path);
    } catch (error) {
      throw cacheFault(this.root, error);
    }
  }

  /** The JSON kept under a key, made where it isn't there yet. Two callers of one process wait for the same work. */
  async json<T>(kind: CacheKind, key: string, make: () => Promise<T>): Promise<T> {
    const known = this.readJson(kind, key) as T | undefined;
    if (known !== undefined) return known;
    const path = this.pathOf(kind, `${key}.json`);
    const pending = this.#making.get(path) as Promise<T> | undefined;
    if (pending !== undefined) return pending;
    const work = make().finally(() => this.#making.delete(path));
    this.#making.set(path, work);
    const made = await work;
    this.writeJson(kind, key, made);
    return made;
  }

  /**
   * The folder under a key; `make` fills a new one where it isn't there yet. Two callers of one process
   * wait for the same work; of two processes the first to finish wins.
   */
  folder(kind: CacheKind, key: string, make: (draft: string) => Promise<void>): Promise<string> {
    const path = this.pathOf(kind, key);
    if (existsSync(path)) return Promise.resolve(path);
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    const work = this.#make(path, make).finally(() => this.#pending.delete(path));
    this.#pending.set(path, work);
    return work;
  }

  async #make(path: string, make: (draft: string) => Promise<void>): Promise<string> {
    const draft = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      mkdirSync(draft, { mode: 0o755 });
      await make(draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(path)) throw isFileFault(error) ? cacheFault(this.root, error) : error;
    }
    return path;
  }
}

const fileFaults = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOENT", "ENOTDIR"];

function isFileFault(error: unknown): boolean {
  return fileFaults.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** No room passes; a folder that can't be written needs the operator. */
function cacheFault(root: string, error: unknown): GraderError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  if (["ENOSPC", "EDQUOT"].includes(code)) {
    // What was copied may have come from, or gone to, another disk than the cache's.
    const path = (error as NodeJS.ErrnoException).path ?? root;
    return new GraderError(75, `no space left · ${path} · ${code}`, {
      hint: "free space there",
      cause: error,
    });
  }
  return new GraderError(69, `cannot write the cache folder ${root} · ${code}`, {
    hint: "set HIDDEN_ORACLE_CACHE to a folder that can be written",
    cause: error,
  });
}
