/** Keeps the head and the tail of a stream of any length, and counts the rest. */

/** What is left of a stream: `text` as latin1, with one line that names the cut when there was one. */
export interface CappedText {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** Drains a stream into at most `keep` bytes, half from its start and half from its end. */
export class CappedOutput {
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  bytes = 0;
  readonly #half: number;

  constructor(keep: number) {
    this.#half = Math.max(1, Math.floor(keep / 2));
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (chunk.length > Math.max(0, room)) this.#pushTail(chunk.subarray(Math.max(0, room)));
  }

  #pushTail(chunk: Buffer): void {
    // A copy, so that a kept slice doesn't pin the whole chunk it came from.
    this.#tail.push(Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.#half))));
    this.#tailBytes += this.#tail.at(-1)?.length ?? 0;
    for (
      let first = this.#tail[0];
      first && this.#tailBytes - first.length >= this.#half;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  /** The bytes kept so far, untouched: complete unless more than the cap came. */
  raw(): Buffer {
    return Buffer.concat([...this.#head, ...this.#tail]);
  }

  finish(): CappedText {
    const tail = Buffer.concat(this.#tail).subarray(-this.#half);
    const cut = this.bytes - this.#headBytes - tail.length;
    const middle = cut > 0 ? `\n[... ${cut} bytes left out ...]\n` : "";
    const text = Buffer.concat(this.#head).toString("latin1") + middle + tail.toString("latin1");
    return { text, bytes: this.bytes, truncated: cut > 0 };
  }
}
