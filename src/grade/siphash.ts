/**
 * SipHash-2-4 with 64 bits, the MAC of completion records.
 * Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
 */

const mask = 0xffff_ffff_ffff_ffffn;
const rotl = (x: bigint, b: bigint) => ((x << b) | (x >> (64n - b))) & mask;

/** The 64-bit tag of `input` under a 16-byte key. */
export function siphash(key: Buffer, input: Buffer): bigint {
  const [k0, k1] = [key.readBigUInt64LE(0), key.readBigUInt64LE(8)];
  let [v0, v1] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn];
  let [v2, v3] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n];
  const round = () => {
    v0 = (v0 + v1) & mask;
    v1 = rotl(v1, 13n) ^ v0;
    v0 = rotl(v0, 32n);
    v2 = (v2 + v3) & mask;
    v3 = rotl(v3, 16n) ^ v2;
    v0 = (v0 + v3) & mask;
    v3 = rotl(v3, 21n) ^ v0;
    v2 = (v2 + v1) & mask;
    v1 = rotl(v1, 17n) ^ v2;
    v2 = rotl(v2, 32n);
  };
  const padded = Buffer.alloc((Math.floor(input.length / 8) + 1) * 8);
  input.copy(padded);
  padded[padded.length - 1] = input.length & 0xff;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return v0 ^ v1 ^ v2 ^ v3;
}
