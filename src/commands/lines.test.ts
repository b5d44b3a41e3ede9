import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type Line, linesOf } from "./lines.ts";

async function read(chunks: readonly string[], most?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf(Readable.from(chunks.map((c) => Buffer.from(c))), most)) lines.push(line);
  return lines;
}

test("lines are the same however the stream was cut, and CRLF is a line end", async () => {
  const expected = [
    { number: 1, text: "ab", end: 4, isWhole: true },
    { number: 2, text: "", end: 5, isWhole: true },
    { number: 3, text: "ö", end: 7, isWhole: false },
  ];
  expect(await read(["ab\r\n\nö"])).toEqual(expected);
  expect(await read([..."ab\r\n\n"].concat(["ö"]))).toEqual(expected);
});

test("the rest after a last line end is no line", async () => {
  expect((await read(["a\n"])).length).toBe(1);
  expect(await read([])).toEqual([]);
});

test("a line that is too long is told and the next one is read", async () => {
  expect((await read(["abcdef", "ghi\nok\n"], 5)).map(({ text }) => text)).toEqual([null, "ok"]);
});
