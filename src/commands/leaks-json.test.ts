import { expect, test } from "vitest";
import { jsonStrings } from "./leaks-json.ts";

test("strings at any depth come with the path that leads to them", () => {
  const value = { messages: [{ content: "a" }, { content: [{ text: "b" }, { n: 1 }] }], "odd name": "c" };
  expect(jsonStrings(value)).toEqual([
    { path: "$.messages[0].content", text: "a" },
    { path: "$.messages[1].content[0].text", text: "b" },
    { path: '$["odd name"]', text: "c" },
  ]);
});

test("a list of lines or of numbers is one text", () => {
  expect(jsonStrings({ source: ["a\n", "b\n", "c"], sizes: [3, 11, 12] })).toEqual([
    { path: "$.source", text: "a\nb\nc" },
    { path: "$.sizes", text: "3, 11, 12" },
  ]);
});

test("a value that is a string by itself is its own root", () => {
  expect(jsonStrings("x")).toEqual([{ path: "$", text: "x" }]);
});
