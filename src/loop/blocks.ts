/** The blocks of an answer: fenced ones with what names their file, and search and replace pairs. */
import { fenceIn } from "../model/patch-section.ts";

/** A fenced block and the words that may name its file. */
export interface FencedBlock {
  /** After the fence's marks. */
  readonly info: string;
  /** The nearest line of text before the fence. */
  readonly before: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
}

/** One search and replace pair, and the words that may name its file. */
export interface EditBlock {
  /** Line of the answer, from 1. */
  readonly line: number;
  readonly names: readonly string[];
  readonly search: string;
  readonly replace: string;
}

/** All fenced blocks, in order; one that is never closed ends with the text. */
export function fencedBlocks(lines: readonly string[]): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let before = "";
  for (let at = 0; at < lines.length; at++) {
    const open = fenceIn(lines[at]);
    if (open === undefined) {
      if (lines[at]?.trim()) before = lines[at] ?? "";
      continue;
    }
    let end = at + 1;
    for (; end < lines.length; end++) {
      const close = fenceIn(lines[end]);
      if (close !== undefined && close.info === "" && close.marks.startsWith(open.marks)) break;
    }
    blocks.push({
      info: open.info,
      before,
      lines: lines.slice(at + 1, end),
      isClosed: end < lines.length,
    });
    [at, before] = [end, ""];
  }
  return blocks;
}

const searchMark = /^\s*<{5,9} ?(?:SEARCH|ORIGINAL)\s*$/;
const middleMark = /^\s*={5,9}\s*$/;
const replaceMark = /^\s*>{5,9} ?(?:REPLACE|UPDATED)\s*$/;

/** All search and replace pairs; a string says what is wrong with one. */
export function editBlocks(lines: readonly string[]): EditBlock[] | string {
  const blocks: EditBlock[] = [];
  let names: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!searchMark.test(line)) {
      const info = fenceIn(line)?.info ?? line;
      if (info.trim() !== "") names = [info, ...names].slice(0, 2);
      continue;
    }
    const middle = findMark(lines, at + 1, middleMark);
    const end = middle === undefined ? undefined : findMark(lines, middle + 1, replaceMark);
    if (middle === undefined || end === undefined)
      return `line ${at + 1}: a search and replace block has no end`;
    blocks.push({
      line: at + 1,
      names,
      search: lines.slice(at + 1, middle).join("\n"),
      replace: lines.slice(middle + 1, end).join("\n"),
    });
    at = end;
  }
  return blocks;
}

function findMark(lines: readonly string[], from: number, mark: RegExp): number | undefined {
  for (let at = from; at < lines.length; at++) {
    if (mark.test(lines[at] ?? "")) return at;
    if (searchMark.test(lines[at] ?? "")) return undefined;
  }
  return undefined;
}
