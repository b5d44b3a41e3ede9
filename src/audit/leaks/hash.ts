/** Salted hashes of token sequences: all that a profile of the oracle is made of. */
import { randomBytes } from "node:crypto";

/** Two random 32-bit words; hashes made under one salt say nothing under another. */
export interface Salt {
  readonly a: number;
  readonly b: number;
}

/** Seeds that keep kinds of features apart, so that a name never equals a sequence of one token. */
export const domain = {
  sequence: 1,
  renamed: 2,
  words: 3,
  numbers: 4,
  name: 5,
  operands: 6,
  path: 7,
  canary: 8,
  list: 9,
} as const;

/** A new random salt. */
export function newSalt(): Salt {
  const bytes = randomBytes(8);
  return { a: bytes.readInt32BE(0), b: bytes.readInt32BE(4) };
}

/** One step of either lane: the state `h` takes in the word `t`. */
export function mix(h: number, t: number): number {
  const x = Math.imul(h ^ t, 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 15), 0xc2b2ae35);
  return ((y ^ (y >>> 13)) + 0x165667b1) | 0;
}

/** Both lanes as one number of 48 bits, the upper 32 of them lane `a`, so that a {@link Sieve} can tell by that lane alone. */
export function seal(a: number, b: number): number {
  return (a >>> 0) * 0x1_0000 + (mix(b, a) >>> 16);
}

/** The hash of a short text, such as a path. */
export function hashText(salt: Salt, kind: number, text: string): number {
  let [a, b] = [mix(salt.a, kind), mix(salt.b, kind)];
  for (let i = 0; i < text.length; i++) {
    a = mix(a, text.charCodeAt(i));
    b = mix(b, text.charCodeAt(i) ^ 0x5bd1e995);
  }
  return seal(a, b);
}

/**
 * Tells of most sequences after their first five tokens that nothing of the profile begins so. Coarse on purpose: a fifth of all
 * sequences pass, so that it gives next to nothing away.
 */
export class Starts {
  readonly bits: Uint8Array;

  /** Of bits that another one had. */
  constructor(bits: Uint8Array = new Uint8Array(1 << 11)) {
    this.bits = bits;
  }

  add(hash: number): void {
    const at = Math.floor(hash / 2 ** 34);
    this.bits[at >>> 3] = (this.bits[at >>> 3] ?? 0) | (1 << (at & 7));
  }

  /** Whether something may begin so; `a` is lane `a` of the first five tokens. */
  may(a: number): boolean {
    const at = a >>> 18;
    return ((this.bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }
}

/** Tells quickly that a hash is certainly not in a set. */
export class Sieve {
  readonly #bits: Uint32Array;

  constructor(hashes: Iterable<number>) {
    this.#bits = new Uint32Array(1 << 15);
    for (const hash of hashes) {
      const at = Math.floor(hash / 0x1000_0000);
      this.#bits[at >>> 5] = (this.#bits[at >>> 5] ?? 0) | (1 << (at & 31));
    }
  }

  /** Whether a hash with this lane `a` may be in the set. */
  may(a: number): boolean {
    const at = a >>> 12;
    return ((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
  }
}
