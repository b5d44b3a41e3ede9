/** How headers of a diff spell paths: quotes, octal escapes, timestamps, prefixes. */
import { decoded } from "./patch-diff.ts";

/** Longer than any path of Linux; what is longer is cut, and then fits no source. */
const longest = 4096;

// git's own prefixes (a b; c i o w with mnemonicPrefix; 1 2 with --no-index), and those of people who run diff -u.
const prefix = /^(?:[abciow12]|old|new|orig)\//;

const timestamp = / (?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*|\((?:revision \d+|working copy|nonexistent)\))$/;

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

function unquote(body: string): string {
  return body.replace(
    /\\(?:([0-3]?[0-7]{1,2})|(.))/g,
    (all, octal: string | undefined, letter: string | undefined) =>
      octal === undefined ? (escapes[letter ?? ""] ?? all) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Index of the quote that ends a quoted path at the start of `field`, or -1. */
function closingQuote(field: string): number {
  for (let i = 1; i < field.length; i++) {
    if (field[i] === "\\") i++;
    else if (field[i] === '"') return i;
  }
  return -1;
}

/** The path in what follows `--- `, `+++ `, `Index: ` and the like (latin1 in, UTF-8 out). */
export function readName(field: string): string {
  const text = field.slice(0, longest).trim();
  const quoted = text.startsWith('"') ? closingQuote(text) : -1;
  if (quoted > 0) return decoded(unquote(text.slice(1, quoted)));
  const tab = text.indexOf("\t");
  return decoded((tab < 0 ? text : text.slice(0, tab)).replace(timestamp, "").trimEnd());
}

/**
 * Both paths of a `diff --git` line. Without quotes it is ambiguous where spaces are allowed,
 * but unless it is a rename both halves are as long as each other.
 */
export function readGitNames(field: string): readonly string[] {
  const text = field.slice(0, 2 * longest).trim();
  const quoted = text.startsWith('"') ? closingQuote(text) : -1;
  if (quoted > 0) return [readName(text.slice(0, quoted + 1)), readName(text.slice(quoted + 1))];
  const second = text.endsWith('"') ? text.indexOf(' "') : -1;
  if (second > 0) return [readName(text.slice(0, second)), readName(text.slice(second))];
  const middle = (text.length - 1) / 2;
  const [left, right] = [text.slice(0, middle), text.slice(middle + 1)];
  if (text[middle] === " " && left.replace(prefix, "") === right.replace(prefix, "")) {
    return [readName(left), readName(right)];
  }
  const space = text.indexOf(" ");
  if (space > 0 && space === text.lastIndexOf(" "))
    return [readName(text.slice(0, space)), readName(text.slice(space))];
  return [readName(text)];
}

/** A path without the `./` in front. */
export function withoutDot(path: string): string {
  let at = 0;
  while (path.startsWith("./", at)) at += 2;
  return path.slice(at);
}

/** What a spelt path may mean: itself, and itself without a prefix; `./` in front is dropped. */
export function readings(name: string): readonly string[] {
  const plain = withoutDot(name);
  return prefix.test(plain) ? [plain, withoutDot(plain.replace(prefix, ""))] : [plain];
}
