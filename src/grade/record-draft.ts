/** Writes the record of a grade: begun before anything runs, finished as rejected or judged. */
import { isUtf8 } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { harnessFlags } from "../model/build-plan.ts";
import type { LayerName } from "../model/manifest.ts";
import type { Finding, LayerOutcome } from "../model/outcome.ts";
import type { AppliedPatch, RejectedPatch } from "../model/patch.ts";
import { type GradeRecord, recordVersion } from "../model/record.ts";
import type { FileTree, Target } from "../model/task.ts";
import { type JudgedToken, type RejectReason, tokenOf } from "../model/verdict.ts";
import { version } from "../model/version.ts";
import { digestOf } from "./cache.ts";
import type { GradeContext } from "./context.ts";
import type { Candidate, GradeOptions, Judged, LayerOutcomes } from "./request.ts";
import { testFlagsOf } from "./test-flags.ts";

/** Sources after a patch, or what kept the patch from being applied. */
export type AppliedSources = Omit<AppliedPatch, "digest"> | Omit<RejectedPatch, "digest">;

/** Why a patch was refused: what its text says, or what hygiene found in it. */
type Rejection = Pick<RejectedPatch, "files" | "findings" | "message"> & { readonly reason: RejectReason };

/** The part of a record that is known before anything is built. */
export interface RecordDraft {
  readonly base: Omit<GradeRecord, "verdict" | "layer" | "layers" | "durationMs" | "notes" | "dropped">;
  readonly seed: number | undefined;
  readonly started: number;
  readonly options: GradeOptions;
}

export function beginRecord(
  context: GradeContext,
  candidate: Candidate,
  options: GradeOptions,
  seed: number | undefined,
): RecordDraft {
  const { task } = context;
  const digest =
    candidate.kind === "patch"
      ? createHash("sha256").update(candidate.bytes).digest("hex")
      : digestOf(...[...candidate.files].sort(([a], [b]) => (a < b ? -1 : 1)).flat());
  const path = candidate.path === undefined ? {} : { path: candidate.path };
  return {
    base: {
      schemaVersion: recordVersion,
      id: randomUUID(),
      task: { id: task.id, digest: task.digest },
      patch: { digest, files: [], ...path },
      environment: environmentOf(context, options, seed),
      startedAt: new Date().toISOString(),
      cached: false,
    },
    seed,
    started: performance.now(),
    options,
  };
}

function environmentOf(
  context: GradeContext,
  options: GradeOptions,
  seed: number | undefined,
): GradeRecord["environment"] {
  const { task, toolchain } = context;
  const targets: readonly Target[] = [...task.layers.visible, ...task.layers.hidden, ...task.layers.reserve];
  return {
    grader: version,
    compiler: toolchain.version,
    cxxflags: flagsOf(targets, (t) => (options.referenceBuild ? t.cxxflags : t.testFlags)),
    harnessFlags: options.referenceBuild ? [] : [...harnessFlags],
    pipeline: options.referenceBuild ? "reference-build" : "shared-objects",
    sandbox: { kind: "bubblewrap", limits: activeLimits(context, targets) },
    seed: seed ?? null,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** Flags by target, for the candidate's units and for the test's own. */
function flagsOf(targets: readonly Target[], ofTest: (target: Target) => readonly string[]) {
  return Object.fromEntries(
    targets.flatMap((t) => [
      [t.name, [...t.cxxflags]],
      [`${t.name}: test units`, [...ofTest(t)]],
    ]),
  );
}

/** The flags once it is known what was patched. */
function flagsUnder(
  context: GradeContext,
  { options }: RecordDraft,
  tree: FileTree,
): Partial<GradeRecord["environment"]> {
  if (options.referenceBuild) return {};
  const targets = Object.values(context.task.layers).flat();
  return { cxxflags: flagsOf(targets, (target) => testFlagsOf(context, target, tree)) };
}

/** Each limit that holds, its value for each target, and who enforces it. */
function activeLimits(context: GradeContext, targets: readonly Target[]): Record<string, string> {
  const by: Readonly<Record<keyof Target["limits"], string>> = {
    cpuSeconds: "rlimit and supervisor",
    wallSeconds: "supervisor",
    memoryMiB: "supervisor",
    outputKiB: "reader",
    processes: "rlimit in a user namespace of its own",
    diskMiB: "size of tmpfs and rlimit",
    compileSeconds: "rlimit",
    compileMemoryMiB: "rlimit",
  };
  const entries = Object.entries(by).map(([name, who]) => {
    const values = [...new Set(targets.map((t) => t.limits[name as keyof Target["limits"]]))].join(", ");
    return [name, `${values} (${who})`] as const;
  });
  return {
    ...Object.fromEntries(entries),
    network: "none (namespace)",
    user: context.machine.unprivileged ? "own" : "one for each slot",
  };
}

/** The record of a patch that could not be judged, through its own fault. */
export function rejectedRecord(draft: RecordDraft, rejected: Rejection): GradeRecord {
  return {
    ...draft.base,
    patch: { ...draft.base.patch, files: [...rejected.files] },
    verdict: "REJECTED",
    reason: rejected.reason,
    message: plain(rejected.message),
    findings: rejected.findings.map(plainFinding),
    layer: null,
    layers: {},
    notes: [],
    dropped: [],
    durationMs: elapsed(draft),
  };
}

/** The record of sources whose layers were judged, or that hygiene refused. */
export function judgedRecord(
  context: GradeContext,
  draft: RecordDraft,
  applied: Extract<AppliedSources, { status: "applied" }>,
  judged: Judged,
): GradeRecord {
  const lenience = {
    notes: applied.notes.map((n) => ({ ...n })),
    dropped: applied.dropped.map(({ file, reason }) => ({ file, message: reason })),
  };
  if (judged.status === "tampering") {
    const { files } = applied;
    const { findings, shown } = judged;
    const message = tamperingMessage(findings);
    const rejected = rejectedRecord(draft, { files, findings, message, reason: "tampering" });
    return { ...rejected, ...lenience, layers: shown ? { visible: withoutReadonly(shown) } : {} };
  }
  const { outcomes } = judged;
  const { token, layer } = decide(outcomes);
  return {
    ...draft.base,
    environment: { ...draft.base.environment, ...flagsUnder(context, draft, applied.tree) },
    patch: { ...draft.base.patch, files: [...applied.files] },
    verdict: token,
    layer,
    layers: Object.fromEntries([...outcomes].map(([name, outcome]) => [name, withoutReadonly(outcome)])),
    ...lenience,
    durationMs: elapsed(draft),
  };
}

function tamperingMessage([first, ...more]: readonly Finding[]): string {
  if (first === undefined) return "tampering";
  const place = first.file === undefined ? "" : `${first.file}:${first.line ?? 1}: `;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  return `${place}${first.kind}: ${first.message ?? "not allowed here"}${rest}`;
}

/** The token, and the layer that decided it. */
function decide(outcomes: LayerOutcomes): { token: JudgedToken | null; layer: LayerName | null } {
  const [visible, hidden, reserve] = [
    outcomes.get("visible"),
    outcomes.get("hidden"),
    outcomes.get("reserve"),
  ];
  if (!visible || !hidden) return { token: null, layer: null };
  const token = tokenOf(visible, hidden);
  if (token !== "PASS")
    return { token, layer: token === "OVERFIT" ? "hidden" : token === null ? null : "visible" };
  if (reserve?.status === "fail") return { token: "OVERFIT", layer: "reserve" };
  if (reserve?.status === "error") return { token: null, layer: null };
  return { token: "PASS", layer: null };
}

/**
 * Text from compilers, sanitizers and sources, fit for a terminal and a page: UTF-8 where it is, and no control
 * or direction characters, which could make it read as something else.
 */
function plain(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const decoded = [...text].some((c) => c > "\u00ff") || !isUtf8(bytes) ? text : bytes.toString("utf8");
  return decoded.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

function plainFinding(finding: Finding): Finding {
  const { message } = finding;
  return {
    ...finding,
    kind: plain(finding.kind),
    ...(message === undefined ? {} : { message: plain(message) }),
  };
}

function withoutReadonly(given: LayerOutcome): GradeRecord["layers"]["visible"] {
  const outcome = given.detail === undefined ? given : { ...given, detail: plain(given.detail) };
  const findings = outcome.status === "error" ? undefined : outcome.findings?.map(plainFinding);
  return { ...outcome, ...(findings === undefined ? {} : { findings }) } as GradeRecord["layers"]["visible"];
}

function elapsed(draft: RecordDraft): number {
  return Math.round(performance.now() - draft.started);
}
