/** The parsed form of a patch: what the files that read, judge and apply it hand to one another. */

/** What was mended while reading or placing a patch; each ends up in the record. */
export type PatchNoteKind =
  | "byte-order-mark"
  | "fence"
  | "fragment"
  | "recount"
  | "bare-header"
  | "lost-prefix"
  | "offset"
  | "whitespace"
  | "line-endings"
  | "final-newline";

/** One mend. `line` counts from 1 in `file` where a file is named, else in the text of the patch. */
export interface PatchNote {
  readonly kind: PatchNoteKind;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** Something that makes a patch `malformed`; `line` counts from 1 in its text. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** How a line ends; `""` is the last line of a file without a newline. */
export type Eol = "\n" | "\r\n" | "";

/** One line of a hunk. `text` is latin1, one character a byte, without prefix and line end. */
export interface BodyLine {
  readonly op: " " | "-" | "+";
  readonly text: string;
  readonly eol: Eol;
}

/** What a hunk header says of the old file. */
export interface StatedRange {
  readonly start: number;
  readonly oldCount: number;
  readonly newCount: number;
}

/** One hunk, its body recounted. */
export interface Hunk {
  /** Line of its header in the patch. */
  readonly line: number;
  /** Missing for a bare `@@`. */
  readonly stated?: StatedRange;
  readonly body: readonly BodyLine[];
  /** The header itself ended in CRLF: the whole text was converted, so CR says nothing of the file. */
  readonly crlf: boolean;
  readonly notes: readonly PatchNote[];
}

/** What the mode lines of a header ask for beyond a plain file. */
export type ModeChange = "symlink" | "submodule" | "mode-change";

/** All that the patch says of one file. */
export interface FileDiff {
  /** First header line in the patch. */
  readonly line: number;
  /** Every path that any header names, as spelt there (unquoted, UTF-8), without `/dev/null`. */
  readonly names: readonly string[];
  readonly created: boolean;
  readonly deleted: boolean;
  /** A rename or copy header was there. */
  readonly moved: boolean;
  readonly mode?: ModeChange;
  readonly hunks: readonly Hunk[];
  readonly fault?: Fault;
}

/** A run of patch lines that is read as a whole: the text outside fences, or one fenced block. */
export interface Block {
  /** Lines without their `\n`; a `\r` stays. */
  readonly lines: readonly string[];
  /** Number of patch lines before the first one. */
  readonly base: number;
  /** Inside a fence there is no prose: whatever breaks into a hunk belongs to it. */
  readonly fenced: boolean;
}

// Everything outside printable text, so that a message can't move a terminal's cursor or forge a line.
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of a patch or a path, made safe for a message: escaped, and cut at 120 characters. */
export function shown(text: string): string {
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return cut.replace(unprintable, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Latin1 bytes as the UTF-8 text they most likely are; broken sequences become U+FFFD. */
export function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
