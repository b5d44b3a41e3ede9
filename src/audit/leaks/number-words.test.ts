import { expect, test } from "vitest";
import { spelledNumbers } from "./number-words.ts";

const values = (text: string) => spelledNumbers(text).map(({ value }) => value);

test("numbers in words are read as people say them", () => {
  expect(values("ten, sixteen and a hundred, one hundred and twenty-seven, ten thousand")).toEqual([
    10, 16, 100, 127, 10_000,
  ]);
  expect(values("sixty-five thousand five hundred and thirty-six and one and two")).toEqual([65_536, 1, 2]);
  expect(values("one million two hundred thousand; zero; four")).toEqual([1_200_000, 0, 4]);
});

test("numbers that follow each other stay apart", () => {
  expect(values("one two three twenty thirty")).toEqual([1, 2, 3, 20, 30]);
});

test("a text with few of them is left alone", () => {
  expect(values("one of the two")).toEqual([]);
});

test("places are those of the words", () => {
  const text = "one, two, three, one hundred and five.";
  expect(spelledNumbers(text).map(({ from, to }) => text.slice(from, to))).toEqual([
    "one",
    "two",
    "three",
    "one hundred and five",
  ]);
});
