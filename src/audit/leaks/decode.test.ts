import { expect, test } from "vitest";
import { viewsOf } from "./decode.ts";
import { originOf } from "./view.ts";

const secret = "for (int lap = 0; lap < 3; ++lap) { pair.overfill(dice); pair.drain(); }";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const readings = (text: string) => viewsOf(text).map((view) => view.text);

test("a plain text has one reading", () => {
  expect(readings("int main() { return 0; }")).toEqual(["int main() { return 0; }"]);
});

test.each([
  ["base64", base64(secret)],
  ["base64 after a word", `data:text/plain;base64,${base64(secret)}`],
  ["base64 in lines", base64(secret).replace(/.{20}/g, "$&\n")],
  ["base64 of UTF-16", Buffer.from(secret, "utf16le").toString("base64")],
  ["base64 in base64", base64(base64(secret))],
  ["hexadecimal", Buffer.from(secret).toString("hex")],
  ["bytes of a dump", Buffer.from(secret).toString("hex").replace(/../g, "$& ")],
  ["bytes of an array", Buffer.from(secret).toString("hex").replace(/../g, "0x$&, ")],
  ["entities", secret.replaceAll("<", "&lt;").replaceAll("+", "&#43;").replaceAll("(", "&#x28;")],
  ["escapes of JSON", secret.replaceAll("<", "\\u003c")],
  ["escapes of addresses", encodeURIComponent(secret)],
  ["invisible characters", secret.replaceAll("a", "a\u200b").replaceAll("o", "o\u202a\ufe0f\u{e0020}")],
  ["colours of a terminal", secret.replace(/\w+/g, "\u001b[1;38:5:2m\u001b[K$&\u001b[m")],
  ["colours of a terminal in JSON", JSON.stringify(secret.replace(/\w+/g, "\u001b[32m$&\u001b[0m"))],
  ["links of a terminal", secret.replace(/\w+/g, "\u001b]8;;file:///a\u0007$&\u001b]8;;\u001b\\")],
])("%s is undone", (_, text) => {
  expect(readings(text).some((reading) => reading.includes("lap < 3; ++lap) { pair.overfill(dice)"))).toBe(
    true,
  );
});

test("thousands are put together, lists are not", () => {
  expect(readings("10,000 and 127,128,129").at(-1)).toBe("10000 and 127,128,129");
});

test("places of a decoded block are those of the block, others are exact", () => {
  const text = `see &lt;here&gt; ${base64(secret)} end`;
  const [, plain, block] = viewsOf(text);
  const at = plain?.text.indexOf("here") ?? -1;
  expect(plain && text.slice(...originOf(plain, at, at + 4))).toBe("here");
  expect(block && text.slice(...originOf(block, 3, 9))).toBe(base64(secret));
});
