import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
async function collect<T>(results: AsyncIterable<T>, into: T[] = []): Promise<T[]> {
  for await (const result of results) into.push(result);
  return into;
}
const flow = { inFlight: 3, window: 8 };

test("results come in the order of the inputs, whichever was done first", async () => {
  const done: number[] = [];
  const results = inOrder(from([30, 1, 20, 2]), flow, async (ms) => {
    await sleep(ms);
    done.push(ms);
    return ms;
  });
  expect(await collect(results)).toEqual([30, 1, 20, 2]);
  expect(done[0]).toBe(1);
});

test("no more than so many are worked on at a time, and no more taken than the window holds", async () => {
  let [now, most, taken, given] = [0, 0, 0, 0];
  async function* counted() {
    for (let i = 0; i < 50; i++) {
      taken++;
      yield i;
    }
  }
  const results = inOrder(counted(), flow, async (i) => {
    most = Math.max(most, ++now);
    await sleep(1);
    now--;
    return i;
  });
  for await (const _ of results) {
    given++;
    expect(taken - given).toBeLessThanOrEqual(flow.window + 1);
  }
  expect(most).toBe(3);
  expect(given).toBe(50);
});

test("a failure stops what has not begun, and what was done before it or beside it is still given", async () => {
  const begun: number[] = [];
  const got: number[] = [];
  const results = inOrder(from([5, 0, 6, 7, 8, 9]), flow, async (n) => {
    begun.push(n);
    await sleep(n === 0 ? 5 : 20);
    if (n === 0) throw new Error("stopped");
    return n;
  });
  await expect(collect(results, got)).rejects.toThrow("stopped");
  expect(begun).toEqual([5, 0, 6]);
  expect(got).toEqual([5, 6]);
});

test("a result is given while the next input is not there yet", async () => {
  let seen: () => void = () => undefined;
  const firstIsSeen = new Promise<void>((resolve) => {
    seen = resolve;
  });
  async function* waiting() {
    yield 1;
    await firstIsSeen;
    yield 2;
  }
  const got: number[] = [];
  for await (const value of inOrder(waiting(), flow, async (n) => n)) {
    got.push(value);
    seen();
  }
  expect(got).toEqual([1, 2]);
});

test("no inputs give no results", async () => {
  expect(await collect(inOrder(from([]), flow, async (n) => n))).toEqual([]);
});
