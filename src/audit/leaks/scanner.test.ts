import { expect, test } from "vitest";
import { buildProfile } from "./build-profile.ts";
import { isBlocked, scannerOf } from "./scanner.ts";

const oracle = `// canary 7f3a9c52-11de-4b0e-9d55-2a6f0c1b8e77
#include "queue.hpp"
static void zigzag_refill(Queue& queue) {
    for (int cap : {3, 11, 12, 19, 4099, 70001}) queue.reserve(cap);
    assert(queue.zest() == queue.size() * 17 + 4099);
    const char* message = "the zephyr of the quokka was lost";
}`;
const visible = '#include "queue.hpp"\nint main() { Queue queue; assert(queue.size() == 0); }';
const texts = { task: "t", code: [oracle], data: [], paths: ["hidden/zigzag.cpp"] };
const scanner = scannerOf(buildProfile(texts, { texts: [visible], paths: ["tests/visible.cpp"] }));
const signals = (text: string) => scanner.scan(text).flatMap((hit) => hit.signals);

test.each([
  ["canary", "id 7F3A9C52-11DE-4B0E-9D55-2A6F0C1B8E77"],
  ["file and line", "at hidden/zigzag.cpp:4"],
  ["file and line", 'File "/build/zigzag.cpp", line 12'],
  ["file and line", "hidden\\zigzag.cpp(4): error"],
  ["assertion", "it says queue.zest() == queue.size() * 17 + 4099"],
  ["assertion", "EXPECT_EQ(queue.size() * 17 + 4099, queue.zest());"],
  ["constants in order", "3 11 12 19 4099 70001"],
  ["assertion", "message: the zephyr of the quokka was lost"],
])("%s is told from %s", (signal, text) => {
  expect(signals(text)).toContain(signal);
  expect(isBlocked(scanner.scan(text))).toBe(true);
});

test("text that the visible test has too doesn't count", () => {
  expect(scanner.scan(visible)).toEqual([]);
});

test("lines are those of the scanned text, the excerpt too", () => {
  const [hit] = scanner.scan("one\ntwo\n  3, 11, 12, 19, 4099, 70001\nfour");
  expect(hit).toMatchObject({ firstLine: 3, lastLine: 3, excerpt: "3, 11, 12, 19, 4099, 70001 four" });
});

test("a leak far into a long text is found once, wherever the parts are cut", () => {
  for (const at of [245_000, 246_000, 262_100, 262_144, 300_000, 507_900]) {
    const text = `${"some words of no interest\n".repeat(25_000).slice(0, at)}\n${oracle}\n${"more\n".repeat(1_000)}`;
    expect(scanner.scan(text)).toHaveLength(1);
  }
});

test("a single rare name, a single number and a list of small numbers are no leak", () => {
  expect(scanner.scan("zigzag_refill is a name; 4099 is a number; 1, 2, 3, 4, 5, 6, 7")).toEqual([]);
});
