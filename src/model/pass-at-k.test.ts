import { describe, expect, test } from "vitest";
import { estimatePassAtK, passAtK, wilson } from "./pass-at-k.ts";

/** The share of all draws of k from n that hold one of the c, by counting them. */
function counted(n: number, c: number, k: number): number {
  let [all, hit] = [0, 0];
  for (let set = 0; set < 2 ** n; set++) {
    const drawn = Array.from({ length: n }, (_, i) => i).filter((i) => (set >> i) & 1);
    if (drawn.length !== k) continue;
    all++;
    if (drawn.some((i) => i < c)) hit++;
  }
  return hit / all;
}

describe("pass@k", () => {
  test("is the share of draws of k samples that hold a pass", () => {
    for (let n = 1; n <= 7; n++)
      for (let c = 0; c <= n; c++)
        for (let k = 1; k <= n; k++) expect(passAtK(n, c, k)).toBeCloseTo(counted(n, c, k), 12);
  });

  test("of fewer samples than k is not known", () => {
    expect(passAtK(3, 1, 4)).toBeNull();
    expect(
      estimatePassAtK(
        [
          { samples: 3, passed: 1 },
          { samples: 1, passed: 1 },
        ],
        2,
      ),
    ).toBeNull();
    expect(estimatePassAtK([], 1)).toBeNull();
  });

  test("over tasks is their mean, with an interval over the samples where tasks are few", () => {
    const estimate = estimatePassAtK(
      [
        { samples: 4, passed: 4 },
        { samples: 4, passed: 0 },
      ],
      1,
    );
    expect(estimate).toMatchObject({ value: 0.5, interval: "wilson" });
    expect(estimate?.low).toBeCloseTo(0.215, 3);
    expect(estimate?.high).toBeCloseTo(0.785, 3);
  });

  test("over many tasks has a bootstrap interval, the same each time", () => {
    const tasks = Array.from({ length: 20 }, (_, i) => ({ samples: 2, passed: i % 2 === 0 ? 2 : 0 }));
    const estimate = estimatePassAtK(tasks, 1);
    expect(estimate).toMatchObject({ value: 0.5, interval: "bootstrap" });
    expect(estimate?.low).toBeGreaterThan(0.2);
    expect(estimate?.high).toBeLessThan(0.8);
    expect(estimatePassAtK(tasks, 1)).toEqual(estimate);
  });
});

test("Wilson's interval agrees with published values", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
  for (const [passed, samples, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    expect(wilson(passed, samples).low).toBeCloseTo(low, 4);
    expect(wilson(passed, samples).high).toBeCloseTo(high, 4);
  }
});
