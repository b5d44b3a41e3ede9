/** Fates of mutants from earlier runs, so that a second run judges only what is new. */
import type { Cache } from "../../grade/cache.ts";
import { digestOf } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import { digestOf as digestOfValue, type FileTree, sha256, type Task } from "../../model/task.ts";
import { applyMutant, type Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";

/** Raised with every change of what makes a fate, so that no older one is given again. */
const engineEpoch = "1";

/** One file for all mutants of one reference under one oracle, compiler and set of flags. */
export class VerdictStore {
  readonly #cache: Cache;
  readonly #key: string;
  readonly #fates: Map<string, Fate>;
  #isDirty = false;

  /** @param reuse False: start empty, and write over what was kept. */
  constructor(context: GradeContext, reference: FileTree, reuse: boolean) {
    this.#cache = context.cache;
    this.#key = keyOf(context, reference);
    const known = reuse ? context.cache.readJson("record", this.#key) : undefined;
    this.#fates = new Map(Object.entries((known as Record<string, Fate> | undefined) ?? {}));
  }

  get(files: FileTree, mutant: Mutant): Fate | undefined {
    return this.#fates.get(textDigest(files, mutant));
  }

  /** Keeps a fate; {@link flush} writes it. */
  set(files: FileTree, mutant: Mutant, fate: Fate): void {
    this.#fates.set(textDigest(files, mutant), fate);
    this.#isDirty = true;
  }

  flush(): void {
    if (!this.#isDirty) return;
    this.#cache.writeJson("record", this.#key, Object.fromEntries(this.#fates));
    this.#isDirty = false;
  }
}

/** A mutant by its text alone: whatever it is called, the same text has the same fate. */
export function textDigest(files: FileTree, mutant: Mutant): string {
  return sha256(`${mutant.file}\0${applyMutant(files, mutant).get(mutant.file) ?? ""}`);
}

function keyOf(context: GradeContext, reference: FileTree): string {
  const { task, toolchain } = context;
  return digestOf("mutants", engineEpoch, toolchain.digest, judgesDigest(task), digestOfTree(reference));
}

/** Names all that judges a mutant. Unlike the task's digest it doesn't change with a waiver or a hint. */
export function judgesDigest(task: Task): string {
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
