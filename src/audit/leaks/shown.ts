/** What a task itself shows to a model: is the oracle in there? */
import type { Task } from "../../model/task.ts";
import { buildProfile } from "./build-profile.ts";
import { oracleTexts, publicTexts, textOf } from "./oracle-texts.ts";
import { type LeakHit, scannerOf } from "./scanner.ts";
import { sourceTextOf } from "./source-text.ts";

/** A part of the task, and what was found in it. */
export interface ShownPart {
  /** A file of the task, or `manifest.json hints.OVERFIT`. */
  readonly name: string;
  readonly hits: readonly LeakHit[];
}

/**
 * Scans prompt, hints, visible tests, sources and headers.
 *
 * Code that sources or visible tests share with the oracle doesn't count, since helpers are often shared, unless it is most of
 * the oracle. Comments in such files do count: those of each file are looked at as if they stood nowhere else.
 */
export function scanShown(task: Task): ShownPart[] {
  const [oracle, shown] = [oracleTexts(task), publicTexts(task)];
  const whole = buildProfile(oracle, { texts: [], paths: shown.paths });
  const profile = buildProfile(oracle, shown, whole.salt);
  const scanner = scannerOf(profile);
  const hints = Object.entries(task.manifest.hints).map(([token, hint]) => ({
    name: `manifest.json hints.${token}`,
    text: hint ?? "",
  }));
  const prompt =
    task.prompt === undefined ? [] : [{ name: task.manifest.prompt ?? "prompt", text: textOf(task.prompt) }];
  const wholeScanner = scannerOf(whole);
  return [
    ...[...prompt, ...hints].map(({ name, text }) => ({ name, hits: scanner.scan(text) })),
    ...filesOf(task).map((file) => {
      const comments = commentsAlone(file.text);
      const isSuspect = wholeScanner.scan(comments).length > 0;
      return { name: file.name, hits: isSuspect ? scanComments(task, file.text, comments) : [] };
    }),
    { name: "all that is shown", hits: sharedHits(whole.runs.size, profile.runs.size) },
  ];
}

interface ShownFile {
  readonly name: string;
  readonly text: string;
}

function filesOf(task: Task): ShownFile[] {
  const tests = task.layers.visible.flatMap(({ sources }) =>
    sources.map(({ path, text }) => ({ name: path, text: textOf(text) })),
  );
  const trees = [...task.sources, ...task.headers].map(([name, text]) => ({ name, text: textOf(text) }));
  return [...tests, ...trees];
}

/** What public text takes away from an oracle is no longer hidden; where that is most of it, nothing is left to find. */
function sharedHits(all: number, left: number): LeakHit[] {
  const share = all === 0 ? 0 : (all - left) / all;
  if (share < 0.5) return [];
  const excerpt = `visible tests and sources hold ${Math.round(100 * share)} % of the oracle's code`;
  return [{ level: "certain", signals: ["same code"], firstLine: 1, lastLine: 1, excerpt }];
}

function scanComments(task: Task, text: string, alone: string): readonly LeakHit[] {
  const { comments } = sourceTextOf(text);
  const shown = publicTexts(task);
  const texts = shown.texts.map((other) =>
    comments.reduce((rest, comment) => rest.replaceAll(comment, " "), other),
  );
  return scannerOf(buildProfile(oracleTexts(task), { ...shown, texts })).scan(alone);
}

/** The comments at their own lines, everything else blank. */
function commentsAlone(text: string): string {
  let [result, at] = ["", 0];
  for (const comment of sourceTextOf(text).comments) {
    const found = text.indexOf(comment, at);
    result += text.slice(at, found).replace(/[^\n]/g, " ") + comment;
    at = found + comment.length;
  }
  return result;
}
