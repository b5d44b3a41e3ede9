import { expect, test } from "vitest";
import { siphash } from "./siphash.ts";

const bytes = (n: number) => Buffer.from(Array.from({ length: n }, (_, i) => i));

test("the tag of the paper's example is the paper's", () => {
  expect(siphash(bytes(16), bytes(15))).toBe(0xa129ca6149be45e5n);
});

test("one changed bit of key or input changes the tag", () => {
  const tag = siphash(bytes(16), bytes(25));
  const flip = (b: Buffer) => Buffer.from(b.map((byte, i) => (i === 3 ? byte ^ 1 : byte)));
  expect(siphash(flip(bytes(16)), bytes(25))).not.toBe(tag);
  expect(siphash(bytes(16), flip(bytes(25)))).not.toBe(tag);
});
