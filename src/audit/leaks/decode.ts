/** The readings of a text: as it is, with escapes undone and numbers in digits, and each encoded block decoded. */
import { encodedBlocks } from "./blocks.ts";
import { spelledNumbers } from "./number-words.ts";
import { type Change, decodedView, plainView, rewritten, type View } from "./view.ts";

/** A block inside a block inside a block is as far as it goes. */
const deepest = 3;

/** All readings worth a look. Their sizes together are bounded by a small multiple of the text's. */
export function viewsOf(text: string): View[] {
  return readings(plainView(text), deepest);
}

function readings(view: View, depth: number): View[] {
  const plain = unescaped(view);
  const views = plain === view ? [view] : [view, plain];
  if (depth === 0) return views;
  const blocks = views.flatMap((each) =>
    encodedBlocks(each.text).map(({ from, to, text }) => decodedView(each, from, to, text)),
  );
  const seen = new Set<string>();
  const fresh = blocks.filter(({ text }) => !seen.has(text) && seen.add(text));
  return [...views, ...fresh.flatMap((block) => readings(block, depth - 1))];
}

/** One after the other, since they are used on top of each other. */
const steps: readonly ((text: string) => Change[])[] = [
  (text) => (text.includes("&") ? replaced(text, entity, entityText) : []),
  (text) => (text.includes("\\") ? replaced(text, escapeForm, escapeText) : []),
  (text) => (text.includes("\\") ? replaced(text, escapeForm, escapeText) : []),
  (text) => (/%[0-9A-Fa-f]{2}/.test(text) ? replaced(text, percent, percentText) : []),
  (text) => (invisible.test(text) ? replaced(text, new RegExp(invisible, "gu"), () => "") : []),
  (text) => replaced(text, /(?<![\d,])\d{1,3}(?:,000)+(?![\d,])/g, (match) => match.replaceAll(",", "")),
  (text) => spelledNumbers(text).map(({ from, to, value }) => ({ from, to, by: String(value) })),
];

function unescaped(view: View): View {
  return steps.reduce((reading, step) => rewritten(reading, step(reading.text)), view);
}

function replaced(text: string, pattern: RegExp, by: (match: string) => string): Change[] {
  const changes: Change[] = [];
  for (const match of text.matchAll(pattern)) {
    const written = by(match[0]);
    if (written !== match[0])
      changes.push({ from: match.index, to: match.index + match[0].length, by: written });
  }
  return changes;
}

const [esc, bell] = ["\u001b", "\u0007"];
/** Characters that are not shown, and what colours a terminal and links in it: ECMA-48, 5.4 and 8.3.89. */
const invisible = new RegExp(
  [
    String.raw`[\p{Cf}\ufe00-\ufe0f]`,
    `${esc}\\[[0-?]{0,32}[ -/]{0,4}[@-~]`,
    `${esc}\\][^${bell}${esc}]{0,256}(?:${bell}|${esc}\\\\)`,
  ].join("|"),
  "u",
);
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|lt|gt|amp|quot|apos|nbsp);/g;
const named: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function entityText(match: string): string {
  const name = match.slice(1, -1);
  if (!name.startsWith("#")) return named[name] ?? match;
  return character(/^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))) ?? match;
}

const escapeForm = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[nrt"'/\\])/g;
const escaped: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "'": "'",
  "/": "/",
  "\\": "\\",
};

function escapeText(match: string): string {
  if (/^\\[ux]/.test(match)) return character(Number.parseInt(match.slice(2), 16)) ?? match;
  return escaped[match.charAt(1)] ?? match;
}

const percent = /(?:%[\da-fA-F]{2})+|(?<=%[\da-fA-F]{2}[^\s%]{0,40})\+/g;

/** A plus sign near such escapes is a blank of a form. */
function percentText(match: string): string {
  if (match === "+") return " ";
  const bytes = Buffer.from(match.replaceAll("%", ""), "hex");
  const isPrintable = bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || byte >= 32);
  return isPrintable ? bytes.toString("utf8") : match;
}

function character(code: number): string | undefined {
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}
