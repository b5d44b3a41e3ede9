import { expect, test } from "vitest";
import { isCommonNumber, isProgression, numberValue } from "./numbers.ts";

test("a number's value doesn't depend on how it is written", () => {
  expect(["0x1F", "31u", "1'000", "0b11", "007", "1.50f"].map(numberValue)).toEqual([
    "31",
    "31",
    "1000",
    "3",
    "7",
    "1.50",
  ]);
});

test("small, round and well-known numbers, and those next to a power of two, are anybody's", () => {
  expect(
    ["7", "100", "4000", "255", "256", "257", "65535", "2654435761"].filter((one) => !isCommonNumber(one)),
  ).toEqual([]);
  expect(["131075", "140009", "262200"].filter(isCommonNumber)).toEqual([]);
});

test("a row that anybody could continue is a progression", () => {
  expect(
    ["1 2 3 4", "2 4 8 16", "5 7 11 13", "3 5 8 13"].map((row) => isProgression(row.split(" "))),
  ).toEqual([true, true, true, true]);
  expect(["1 2 3 6", "127 128 129 255"].map((row) => isProgression(row.split(" ")))).toEqual([false, false]);
});
