/** Lines of a stream of any length, one at a time; a line longer than any row is told, not kept. */
import type { Readable } from "node:stream";

/** Far above a row with the largest patch in it, every character of it escaped. */
const longest = 64 * 1024 * 1024;

/** One line without its end. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  /** Null where the line is longer than {@link longest}. */
  readonly text: string | null;
  /** Bytes of the stream up to the end of this line. */
  readonly end: number;
  /** False for a last line without a line end. */
  readonly isWhole: boolean;
}

/** All lines; the empty rest after a last line end is none. */
export async function* linesOf(stream: Readable, most = longest): AsyncGenerator<Line> {
  let [parts, size, total, number]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const take = (isWhole: boolean): Line => {
    const text = size > most ? null : Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    [parts, size, number] = [[], 0, number + 1];
    return { number, text, end: total, isWhole };
  };
  const keep = (part: Buffer) => {
    size += part.length;
    total += part.length;
    if (size <= most) parts.push(part);
    else parts = [];
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, at));
      total++;
      yield take(true);
      from = at + 1;
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield take(false);
}
