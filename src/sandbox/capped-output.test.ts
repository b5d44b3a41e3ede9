import fc from "fast-check";
import { expect, test } from "vitest";
import { CappedOutput } from "./capped-output.ts";

test("what fits is kept whole", () => {
  const output = new CappedOutput(100);
  output.push(Buffer.from("one "));
  output.push(Buffer.from("two"));
  expect(output.finish()).toEqual({ text: "one two", bytes: 7, truncated: false });
});

test("of what does not fit, head and tail are kept and the cut is named", () => {
  const output = new CappedOutput(8);
  output.push(Buffer.from("abcdefghijklmnop"));
  expect(output.finish()).toEqual({
    text: "abcd\n[... 8 bytes left out ...]\nmnop",
    bytes: 16,
    truncated: true,
  });
});

test("however a stream is cut into chunks, the same is kept of it", () => {
  const chunks = fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 60 }), (parts, keep) => {
      const pieces = parts.map((part) => Buffer.from(part));
      const inParts = new CappedOutput(keep);
      for (const piece of pieces) inParts.push(piece);
      const whole = new CappedOutput(keep);
      whole.push(Buffer.concat(pieces));
      expect(inParts.finish()).toEqual(whole.finish());
    }),
  );
});
