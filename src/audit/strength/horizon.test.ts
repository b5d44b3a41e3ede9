import { expect, test } from "vitest";
import type { Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";
import { measureHorizons } from "./horizon.ts";

const exponents = new WeakMap<Mutant, number>();
const probe = {
  quantity: "operations",
  kind: "operations",
  at: (k: number) => {
    if (k > 40) return null;
    const mutant = { id: String(k) } as Mutant;
    exponents.set(mutant, k);
    return mutant;
  },
};

/** An oracle that catches whatever shows itself up to 2^`reach`. */
function oracle(reach: number) {
  const asked: number[] = [];
  const judge = (mutants: readonly Mutant[]) => {
    const fates = mutants.map((mutant): [Mutant, Fate] => {
      const k = exponents.get(mutant) ?? 0;
      asked.push(k);
      return [
        mutant,
        k <= reach ? { status: "killed", by: "hidden", cause: "assertion" } : { status: "survived" },
      ];
    });
    return Promise.resolve(new Map(fates));
  };
  return { asked, judge };
}

test("the largest power that is caught is found in two rounds", async () => {
  const { asked, judge } = oracle(13);
  expect(await measureHorizons([probe], judge)).toEqual([
    { quantity: "operations", kind: "operations", caught: 13, tried: 40 },
  ]);
  expect(asked.length).toBeLessThan(15);
});

test("an oracle that catches nothing has no horizon, and one that catches all has the largest tried", async () => {
  expect((await measureHorizons([probe], oracle(-1).judge))[0]?.caught).toBeNull();
  expect((await measureHorizons([probe], oracle(60).judge))[0]?.caught).toBe(40);
});
