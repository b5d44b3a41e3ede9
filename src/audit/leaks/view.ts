/** A text as it is, or as it reads once an encoding is undone; every place leads back to the text that was given. */

/** A reading of a text, with what leads back. */
export interface View {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** From `here` on, the text comes from `there`; `flat` where a whole stretch came from one place. */
interface Piece {
  readonly here: number;
  readonly there: number;
  /** Characters of the original that a flat stretch stands for. */
  readonly flat?: number;
}

/** One replacement of a stretch of a text. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** The text as it is. */
export function plainView(text: string): View {
  return { text, pieces: [{ here: 0, there: 0 }] };
}

/** Where a stretch of the view lies in the original text. */
export function originOf(view: View, from: number, to: number): [number, number] {
  return [place(view, from, false), place(view, Math.max(from, to - 1), true) + 1];
}

function place({ pieces }: View, at: number, isEnd: boolean): number {
  const piece = pieces[lastBefore(pieces, at)] ?? { here: 0, there: 0 };
  if (piece.flat !== undefined) return piece.there + (isEnd ? Math.max(0, piece.flat - 1) : 0);
  return piece.there + (at - piece.here);
}

/** The view with stretches replaced; `changes` are in order and don't overlap. */
export function rewritten(view: View, changes: readonly Change[]): View {
  if (changes.length === 0) return view;
  const parts: string[] = [];
  const pieces: Piece[] = [];
  let [done, length] = [0, 0];
  const keep = (to: number) => {
    if (to <= done) return;
    copyPieces(view, { from: done, to, here: length }, pieces);
    parts.push(view.text.slice(done, to));
    length += to - done;
  };
  for (const { from, to, by } of changes) {
    keep(from);
    const [there, end] = originOf(view, from, to);
    pieces.push({ here: length, there, flat: end - there });
    parts.push(by);
    length += by.length;
    done = to;
  }
  keep(view.text.length);
  return { text: parts.join(""), pieces };
}

/** A text that one stretch of a view stands for as a whole. */
export function decodedView(view: View, from: number, to: number, text: string): View {
  const [there, end] = originOf(view, from, to);
  return { text, pieces: [{ here: 0, there, flat: end - there }] };
}

function copyPieces({ pieces }: View, span: { from: number; to: number; here: number }, into: Piece[]): void {
  const first = lastBefore(pieces, span.from);
  for (let i = first; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece === undefined || (piece.here >= span.to && i > first)) break;
    const skip = Math.max(0, span.from - piece.here);
    const there = piece.flat === undefined ? piece.there + skip : piece.there;
    const here = span.here + Math.max(0, piece.here - span.from);
    into.push({ here, there, ...(piece.flat === undefined ? {} : { flat: piece.flat }) });
  }
}

function lastBefore(pieces: readonly Piece[], at: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.here ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
