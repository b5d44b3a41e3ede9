/** What earlier runs found out about mutants, so that a second run asks only what is new. */
import type { Cache } from "../../grade/cache.ts";
import { digestOf } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import { digestOf as digestOfValue, type FileTree, sha256, type Task } from "../../model/task.ts";
import { applyMutant, type Mutant } from "../mutate/mutant.ts";

/** Raised with every change of what makes these answers, so that no older one is given again. */
const engineEpoch = "3";

/** One file for all mutants of one reference under one oracle, compiler and set of flags. */
export class MutantStore<T> {
  readonly #cache: Cache;
  readonly #key: string;
  readonly #files: FileTree;
  readonly #known: Map<string, T>;
  #isDirty = false;

  /**
   * @param what Name of what is kept.
   * @param reuse False: start empty, and write over what was kept.
   */
  constructor(context: GradeContext, files: FileTree, what: string, reuse: boolean) {
    this.#cache = context.cache;
    this.#files = files;
    this.#key = keyOf(context, files, what);
    const kept = reuse ? context.cache.readJson("record", this.#key) : undefined;
    this.#known = new Map(Object.entries((kept as Record<string, T> | undefined) ?? {}));
  }

  get(mutant: Mutant): T | undefined {
    return this.#known.get(textDigest(this.#files, mutant));
  }

  /** Keeps what is known of a mutant; {@link flush} writes it. */
  set(mutant: Mutant, value: T): void {
    this.#known.set(textDigest(this.#files, mutant), value);
    this.#isDirty = true;
  }

  flush(): void {
    if (!this.#isDirty) return;
    this.#cache.writeJson("record", this.#key, Object.fromEntries(this.#known));
    this.#isDirty = false;
  }
}

/** A mutant by its text alone: whatever it is called, the same text has the same fate. */
function textDigest(files: FileTree, mutant: Mutant): string {
  return sha256(`${mutant.file}\0${applyMutant(files, mutant).get(mutant.file) ?? ""}`);
}

function keyOf(context: GradeContext, files: FileTree, what: string): string {
  const { task, toolchain } = context;
  return digestOf("mutants", what, engineEpoch, toolchain.digest, judgesDigest(task), digestOfTree(files));
}

/** Names all that judges a mutant. Unlike the task's digest it doesn't change with a waiver or a hint. */
function judgesDigest(task: Task): string {
  const { ldflags, memoryLeaks, proof, limits } = task.manifest;
  const targets = [...task.layers.visible, ...task.layers.hidden].map(({ sources, ...rest }) => ({
    ...rest,
    units: sources.map(({ unit }) => sha256(unit)),
  }));
  const recorded = task.alternatives.map(({ bytes }) => sha256(bytes));
  const headers = digestOfTree(task.headers);
  return digestOfValue({ targets, ldflags, memoryLeaks, proof, limits, headers, recorded });
}

function digestOfTree(files: FileTree): string {
  return digestOfValue(Object.fromEntries([...files].map(([path, text]) => [path, sha256(text)])));
}
