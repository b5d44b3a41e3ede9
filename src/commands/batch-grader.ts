/** Grades the inputs of a batch: tasks opened once, the same patch graded once, faults of one input kept to it. */
import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import type { Cache } from "../grade/cache.ts";
import type { GradeContext } from "../grade/context.ts";
import { grade } from "../grade/grade.ts";
import type { GradeOptions } from "../grade/request.ts";
import { ExitCode, type GraderError } from "../model/errors.ts";
import type { GradeRecord } from "../model/record.ts";
import type { Task } from "../model/task.ts";
import { type Token, tokens } from "../model/verdict.ts";
import { type Summary, summaryOf } from "../report/fail-modes.ts";
import type { Machine } from "../sandbox/machine.ts";
import { assertCalibrated } from "../task/certificate.ts";
import type { BatchInput } from "./batch-inputs.ts";
import { recordKey } from "./batch-out.ts";
import { asFault } from "./fault.ts";
import { noteCalibration, openContext, openTask } from "./open.ts";
import { readPatch } from "./patch-input.ts";
import { ungradedRecord } from "./ungraded.ts";

/** What became of one input; without a record where an earlier run has written it. */
export interface BatchResult {
  readonly input: BatchInput;
  readonly summary: Summary;
  readonly record?: GradeRecord;
  readonly expected: Token | undefined;
}

/** What all inputs of a batch share. */
export interface BatchGraderOptions {
  readonly machine: Machine;
  readonly cache: Cache;
  readonly signal: AbortSignal;
  /** The task of inputs that name none. */
  readonly task: string | undefined;
  /** File with the key of sealed oracles. */
  readonly identity: string | undefined;
  readonly reuse: boolean;
  readonly referenceBuild: boolean;
  readonly requireCalibrated: boolean;
  /** By {@link recordKey}: what need not be graded again. */
  readonly known: ReadonlyMap<string, Summary>;
}

/** Grades one input after another, or several at a time. */
export class BatchGrader {
  readonly #options: BatchGraderOptions;
  readonly #contexts = new Map<string, Promise<GradeContext>>();
  readonly #running = new Map<string, Promise<GradeRecord>>();

  constructor(options: BatchGraderOptions) {
    this.#options = options;
  }

  /** The context of a task, loaded once. @throws GraderError */
  contextOf(task = this.#options.task): Promise<GradeContext> {
    const key = task ?? "";
    const opened = this.#contexts.get(key) ?? this.#open(task);
    this.#contexts.set(key, opened);
    return opened;
  }

  async #open(task: string | undefined): Promise<GradeContext> {
    const { machine, cache, reuse, signal } = this.#options;
    const how = { many: true, cache: reuse, signal };
    const context = await openContext(await openTask(task, this.#options.identity), machine, how, cache);
    if (this.#options.requireCalibrated) assertCalibrated(context.calibration);
    else noteCalibration(context);
    return context;
  }

  /** @throws GraderError 130 or 143 when interrupted; every other fault becomes the input's record. */
  async result(input: BatchInput): Promise<BatchResult> {
    const known: { task?: Task; bytes?: Uint8Array } = {};
    const path = input.content.kind === "file" ? { path: input.content.path } : {};
    const started = performance.now();
    try {
      const bytes = await this.#bytesOf(input);
      known.bytes = bytes;
      const context = await this.contextOf(input.task);
      known.task = context.task;
      const expected = expectedOf(input, context.task);
      const digest = createHash("sha256").update(bytes).digest("hex");
      const summary = this.#options.known.get(recordKey(input.id, digest, context.task.digest));
      if (summary) return { input, summary, expected };
      const graded = await this.#grade(context, bytes, digest);
      const patch = { ...graded.patch, ...path };
      const record = { ...graded, id: input.id, patch, ...(expected === undefined ? {} : { expected }) };
      return { input, record, summary: summaryOf(record), expected };
    } catch (error) {
      const fault = asFault(error);
      if (isInterruption(fault)) throw fault;
      const expected = known.task ? expectedOf(input, known.task) : input.expected;
      const record = {
        ...ungradedRecord(fault, { id: input.id, started, ...known, ...path }),
        ...(expected === undefined ? {} : { expected }),
      };
      return { input, record, summary: summaryOf(record), expected };
    }
  }

  async #bytesOf({ content }: BatchInput): Promise<Uint8Array> {
    switch (content.kind) {
      case "fault":
        throw content.fault;
      case "text":
        return Buffer.from(content.text);
      case "file":
        return readPatch(resolve(content.path), this.#options.signal);
    }
  }

  /** The same bytes under the same task at the same time are graded once. */
  #grade(context: GradeContext, bytes: Uint8Array, digest: string): Promise<GradeRecord> {
    const options: GradeOptions = { referenceBuild: this.#options.referenceBuild };
    const start = () => grade(context, { kind: "patch", bytes }, options);
    if (!this.#options.reuse) return start();
    const key = `${context.task.digest} ${digest}`;
    const running = this.#running.get(key);
    if (running) return running.then((record) => ({ ...record, cached: true }));
    const started = start().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}

function isInterruption({ exit }: GraderError): boolean {
  return exit === ExitCode.interrupted || exit === ExitCode.terminated;
}

/** The row's own expectation, else the manifest's for this file, else the nearest folder named by a token. */
export function expectedOf(input: BatchInput, task: Pick<Task, "root" | "manifest">): Token | undefined {
  if (input.expected !== undefined) return input.expected;
  if (input.content.kind !== "file") return undefined;
  const path = resolve(input.content.path);
  const recorded = task.manifest.calibration[relative(task.root, path)];
  if (recorded !== undefined) return recorded;
  const folders = path.split("/").slice(0, -1).reverse();
  return folders.map((name) => tokens.find((token) => token === name)).find((token) => token !== undefined);
}
