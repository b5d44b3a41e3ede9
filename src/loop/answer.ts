/** What a model answered → the patch that it means, where that is beyond doubt. */
import type { Brief } from "../model/brief.ts";
import type { FileDiff } from "../model/patch-diff.ts";
import { readPatchText } from "../model/patch-text.ts";
import { type EditBlock, editBlocks, type FencedBlock, fencedBlocks } from "./blocks.ts";
import { makeDiff } from "./make-diff.ts";

/** A patch to be judged, or why there is none. */
export type Answer =
  | { readonly status: "patch"; readonly patch: string }
  | { readonly status: "none"; readonly why: string };

const none = (why: string): Answer => ({ status: "none", why: `no patch found · ${why}` });

/**
 * The patch in an answer: a unified diff, else search and replace blocks, else whole files.
 *
 * @param isCut The model came to its limit of tokens: what is not in a closed block may lack its end.
 */
export function patchFromAnswer(answer: string, brief: Brief, isCut = false): Answer {
  const text = withoutThoughts(answer).replace(/\r\n/g, "\n");
  if (text.trim() === "") return none("the answer is empty");
  const lines = text.split("\n");
  if (isCut && fencedBlocks(lines).at(-1)?.isClosed !== true)
    return none("the answer was cut off at the limit of its tokens: answer more briefly");
  const edits = editBlocks(lines);
  if (typeof edits === "string") return none(edits);
  if (edits.length > mostBlocks) return none(`more than ${mostBlocks} search and replace blocks`);
  const { diffs, faults } = readPatchText(Buffer.from(text).toString("latin1"));
  if (edits.length > 0)
    return diffs.length > 0
      ? none("a diff and search and replace blocks in one answer: give one of them")
      : fromEdits(edits, brief);
  const passedOver = diffs.length > 0 ? fileBeside(diffs, fencedBlocks(lines), brief) : undefined;
  if (passedOver !== undefined)
    return none(`a diff, and ${passedOver} whole, in one answer: give one diff of all that changes`);
  // A diff that is wrong in itself is the grader's to refuse: it says best what is wrong with it.
  if (diffs.length > 0 || faults.some(({ message }) => !message.startsWith("there is no unified diff")))
    return { status: "patch", patch: text };
  return fromFiles(fencedBlocks(lines), brief);
}

/** What a model thinks aloud may hold drafts of patches; the last end mark counts. */
function withoutThoughts(answer: string): string {
  const end = answer.lastIndexOf("</think>");
  return end === -1 ? answer : answer.slice(end + "</think>".length);
}

/** Bounds what is done for an answer that is made to be slow. */
const mostBlocks = 1000;
const longestNaming = 500;

/** Paths in the words that may name a file: the whole path of a source, or its end where only one source has it. */
function sourcesNamed(words: string, brief: Brief): string[] {
  const tokens = words.slice(0, longestNaming).match(/[\w.+@-]+(?:\/[\w.+@-]+)*/g) ?? [];
  const found = tokens.flatMap((token) => {
    const path = token.replace(/^\.\//, "").replace(/[.:]+$/, "");
    const whole = brief.sources.filter((source) => source.path === path);
    if (whole.length > 0) return whole;
    const ends = brief.sources.filter((source) => source.path.endsWith(`/${path}`));
    return ends.length === 1 ? ends : [];
  });
  return [...new Set(found.map(({ path }) => path))];
}

/** The one file that the nearest naming words name. */
function fileOf(names: readonly string[], brief: Brief): string | undefined {
  const named = names.map((words) => sourcesNamed(words, brief)).find((paths) => paths.length > 0);
  if (named !== undefined) return named.length === 1 ? named[0] : undefined;
  return brief.sources.length === 1 ? brief.sources[0]?.path : undefined;
}

function fromEdits(edits: readonly EditBlock[], brief: Brief): Answer {
  const texts = new Map(brief.sources.map(({ path, text }) => [path, text.replace(/\r\n/g, "\n")]));
  let last: string | undefined;
  for (const { line, names, search, replace } of edits) {
    const path: string | undefined = fileOf(names, brief) ?? last;
    const before = path === undefined ? undefined : texts.get(path);
    if (path === undefined || before === undefined)
      return none(`line ${line}: no source is named before this search and replace block`);
    const after = replacedOnce(before, search, replace);
    if (typeof after === "number")
      return none(`line ${line}: the searched text is ${after === 0 ? "not" : `${after} times`} in ${path}`);
    texts.set(path, after.text);
    last = path;
  }
  return fromTexts(texts, brief);
}

/** Whole lines only; a number says how often they are there, where that is not once. */
function replacedOnce(text: string, search: string, replace: string): { text: string } | number {
  if (search === "") return 0;
  const [framed, wanted] = [`\n${text}\n`, `\n${search}\n`];
  let [times, at] = [0, -1];
  for (let next = framed.indexOf(wanted); next !== -1; next = framed.indexOf(wanted, next + 1)) {
    times++;
    at = next;
  }
  if (times !== 1) return times;
  const put = replace === "" ? "\n" : `\n${replace}\n`;
  return { text: (framed.slice(0, at) + put + framed.slice(at + wanted.length)).slice(1, -1) };
}

/** A source that a block gives whole and changed, with its path after the language, and that no diff is about. */
function fileBeside(
  diffs: readonly FileDiff[],
  blocks: readonly FencedBlock[],
  brief: Brief,
): string | undefined {
  const isInDiff = (path: string) =>
    diffs.some(({ names }) => names.some((name) => name === path || name.endsWith(`/${path}`)));
  return blocks.slice(0, mostBlocks).flatMap((block) => {
    const [path, ...more] = sourcesNamed(block.info, brief);
    if (path === undefined || more.length > 0 || isInDiff(path) || isExcerpt(block, path, brief)) return [];
    if (block.lines.some((line) => elision.test(line.trimStart()))) return [];
    const before = brief.sources.find((source) => source.path === path)?.text ?? "";
    return makeDiff(path, before, `${block.lines.join("\n")}\n`) === "" ? [] : [path];
  })[0];
}

const elision = /^(?:(?:\/\/|\/\*)\s*)?(?:\.\.\.|…)/;

/** Far shorter than the file that it would replace: a quotation. */
function isExcerpt({ lines }: FencedBlock, path: string, brief: Brief): boolean {
  const whole = brief.sources.find((source) => source.path === path)?.text.split("\n").length ?? 0;
  return lines.length * 4 < whole;
}

function fromFiles(blocks: readonly FencedBlock[], brief: Brief): Answer {
  const texts = new Map<string, string>();
  const isCode = ({ lines, info }: FencedBlock) =>
    lines.length > 1 && !/^(?:sh|bash|shell|console|text)\b/.test(info);
  const code = blocks.filter(isCode);
  if (code.length > mostBlocks) return none(`more than ${mostBlocks} blocks of code`);
  for (const block of code) {
    const named = fileOf([block.info, block.before, block.lines[0] ?? ""], brief);
    if (named === undefined) continue;
    if (block.lines.some((line) => elision.test(line.trimStart())))
      return none(`the block for ${named} leaves lines out`);
    if (isExcerpt(block, named, brief)) continue;
    const text = `${block.lines.join("\n")}\n`;
    const known = texts.get(named);
    if (known !== undefined && known !== text) return none(`two different blocks are for ${named}`);
    texts.set(named, text);
  }
  if (texts.size === 0)
    return none(
      code.length === 0 ? "neither a diff nor a block of code" : "no block says which source it is",
    );
  return fromTexts(texts, brief);
}

function fromTexts(texts: ReadonlyMap<string, string>, brief: Brief): Answer {
  const diffs = [...texts].map(([path, text]) =>
    makeDiff(path, brief.sources.find((source) => source.path === path)?.text ?? null, text),
  );
  const patch = diffs.join("");
  return patch === "" ? none("the answer repeats the sources as they are") : { status: "patch", patch };
}
