/** Blocks of base64 and of hexadecimal in a text, decoded where what comes out reads as text. */

/** One decoded block and the stretch that it was written in. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Shorter ones hold less than anything that would be told. */
const shortest = 24;
/** Words of prose are shorter than the lines of an encoded block. */
const shortestLine = 16;

/** All blocks, in order. Runs over the text once for each encoding. */
export function encodedBlocks(text: string): Block[] {
  return [...base64Blocks(text), ...hexBlocks(text)];
}

const base64Line = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

function base64Blocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const { from, to, parts } of joined(text, base64Line)) {
    const code = parts.join("").replace(/=+$/, "");
    if (code.length < shortest) continue;
    const decoded = readable(code);
    if (decoded !== undefined) blocks.push({ from, to, text: decoded });
  }
  return blocks;
}

/** Whatever stands in front of a block may have joined it, so each of the four ways to begin is tried. */
function readable(code: string): string | undefined {
  for (let skip = 0; skip < 4; skip++) {
    const head = Buffer.from(code.slice(skip, skip + 64), "base64");
    if (printableShare(head) < 0.9) continue;
    const whole = Buffer.from(code.slice(skip), "base64");
    if (printableShare(whole) >= 0.9) return whole.toString("utf8");
    const wide = wideText(whole);
    if (wide !== undefined) return wide;
  }
  return wideText(Buffer.from(code, "base64"));
}

/** UTF-16, as some shells encode. */
function wideText(bytes: Buffer): string | undefined {
  if (bytes.length < 16 || bytes[1] !== 0 || bytes[3] !== 0) return undefined;
  const text = bytes.toString("utf16le");
  return printableShare(Buffer.from(text)) >= 0.9 ? text : undefined;
}

const hexLine =
  /(?:[\da-fA-F]{2}){8,}|(?:(?:0x|\\x)?[\da-fA-F]{2}(?:[\da-fA-F]{2})?[ ,:]{1,2}){8,}(?:0x)?[\da-fA-F]{0,4}/g;

function hexBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const { from, to, parts } of joined(text, hexLine)) {
    const code = parts.join("").replace(/0x|[^\da-fA-F]/g, "");
    if (code.length < 2 * shortest) continue;
    const bytes = Buffer.from(code, "hex");
    if (printableShare(bytes) >= 0.9) blocks.push({ from, to, text: bytes.toString("utf8") });
  }
  return blocks;
}

/** Lines of a block follow each other with nothing but line ends and quote marks (or a dump's offsets and text) between. */
function joined(text: string, line: RegExp): { from: number; to: number; parts: string[] }[] {
  const runs: { from: number; to: number; parts: string[] }[] = [];
  for (const match of text.matchAll(line)) {
    const [from, to] = [match.index, match.index + match[0].length];
    const last = runs.at(-1);
    const between = last === undefined || from - last.to > 48 ? undefined : text.slice(last.to, from);
    if (last !== undefined && between !== undefined && isBetweenLines(between)) {
      last.to = to;
      last.parts.push(match[0]);
    } else runs.push({ from, to, parts: [match[0]] });
  }
  return runs.filter(({ from, to }) => to - from >= shortestLine);
}

/** A tail of fewer characters than a line may be lost; nobody tells a leak by it. */
function isBetweenLines(between: string): boolean {
  return /^(?:\\n|["'+,|>\s\\])*$/.test(between) || /^ .{0,20}\n[\da-fA-F]{6,8}:? {1,2}$/.test(between);
}

function printableShare(bytes: Buffer): number {
  let printable = 0;
  for (const byte of bytes)
    if (byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127)) printable++;
  return bytes.length === 0 ? 0 : printable / bytes.length;
}
