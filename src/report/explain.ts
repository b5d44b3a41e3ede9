/** One record in plain words, for the person who keeps the task. */
import type { GradeRecord, RecordedLayer } from "../model/record.ts";
import type { Token } from "../model/verdict.ts";
import { type Paint, paintToken } from "./paint.ts";

/** One sentence for each token: what it means, and what to do now. */
const sentences: Readonly<Record<Token, string>> = {
  PASS: "a candidate for human review; it says only that the hidden cases that exist did not fail",
  OVERFIT: "the shown tests pass and the hidden ones do not: the patch fits the examples, not the promise",
  FAIL_VISIBLE:
    "fails what was shown and passes what was hidden: stop generating patches and repair the oracle",
  FAIL_BOTH: "fails the shown tests and the hidden ones",
  REJECTED: "the patch could not be judged, through its own fault",
};

/**
 * Lines for standard error: with `isTerminal` the sentence and, below it, layers, notes and dropped files;
 * without, only what went wrong.
 */
export function explain(record: GradeRecord, paint: Paint, isTerminal: boolean): string[] {
  const { verdict, notes, dropped } = record;
  const facts = [
    ...rejection(record),
    ...(["visible", "hidden", "reserve"] as const).flatMap((name) => layerLine(name, record.layers[name])),
    ...notes.map(({ message, file, line }) => `note: ${placed(message, file, line)}`),
    ...dropped.map(({ file, message }) => `dropped: ${file} · ${message}`),
  ];
  if (verdict === null || !isTerminal) return facts;
  const again = record.cached ? paint.dim(" (known from an earlier grade)") : "";
  const head = `${paint.bold(paintToken(paint, verdict))}: ${sentences[verdict]}${again}`;
  return [head, ...facts.map((fact) => paint.dim(`  ${fact}`))];
}

function rejection({ verdict, reason, message, findings }: GradeRecord): string[] {
  if (verdict !== "REJECTED") return [];
  const more = (findings ?? []).slice(1, 6).map(({ kind, message: said, file, line }) => {
    return `also ${placed(said ?? kind, file, line)}`;
  });
  return [`${reason ?? "rejected"}: ${message ?? "no message"}`, ...more, ...allowHint(reason, findings)];
}

/** A finding's message begins with its detail: the two words that a manifest would allow it by. */
function allowHint(reason: GradeRecord["reason"], findings: GradeRecord["findings"]): string[] {
  const first = findings?.[0];
  if (reason !== "tampering" || first === undefined) return [];
  const detail = first.message?.split(": ")[0];
  const entry = detail === undefined ? first.kind : `${first.kind}:${detail}`;
  return [`hint: a task that needs this may list ${JSON.stringify(entry)} in the manifest's "allow"`];
}

function layerLine(name: string, layer: RecordedLayer | undefined): string[] {
  if (layer === undefined) return [];
  if (layer.status === "pass") return layer.detail === undefined ? [] : [`${name}: ${layer.detail}`];
  return [`${name}: ${layer.cause} · ${layer.detail}`];
}

function placed(message: string, file: string | undefined, line: number | undefined): string {
  if (file === undefined) return line === undefined ? message : `${message} (line ${line} of the patch)`;
  return `${message} (${file}${line === undefined ? "" : `:${line}`})`;
}
