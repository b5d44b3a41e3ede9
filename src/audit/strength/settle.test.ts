import { expect, test } from "vitest";
import type { MutantFate } from "../../model/strength.ts";
import type { Mutant } from "../mutate/mutant.ts";
import type { Fate } from "./fate.ts";
import { settle } from "./settle.ts";
import { needlessWaivers, staleWaivers, waive } from "./waivers.ts";

const mutant = (id: string) => ({ id, file: "a.cpp" }) as Mutant;
const [a, b, c] = [mutant("a"), mutant("b"), mutant("c")] as const;
const survived = { status: "survived" } as const;
const killed = { status: "killed", by: "hidden", cause: "asan" } as const;
const code = (digest: string, isReference = false) => ({ digest, isReference });

test("a survivor with the reference's code is equivalent, and a killed one is not", () => {
  const fates = new Map<Mutant, Fate>([
    [a, survived],
    [b, killed],
  ]);
  const codes = new Map([
    [a, code("r", true)],
    [b, code("r", true)],
  ]);
  expect([...settle([a, b], fates, codes).values()]).toEqual([{ status: "equivalent" }, killed]);
});

test("of mutants with one code the first counts, unless they met different fates", () => {
  const fates = new Map<Mutant, Fate>([
    [a, survived],
    [b, survived],
    [c, killed],
  ]);
  const codes = new Map([a, b, c].map((each) => [each, code("x")]));
  expect([...settle([b, a, c], fates, codes)]).toEqual([
    [b, survived],
    [a, { status: "duplicate", of: "b" }],
    [c, killed],
  ]);
});

test("a mutant whose code is not known counts", () => {
  expect(settle([a], new Map([[a, survived]]), new Map()).get(a)).toEqual(survived);
});

const waiver = { mutant: "a", category: "infeasible", reason: "8 GiB" } as const;

test("a waiver takes a survivor out, and leaves what is killed where it is", () => {
  const fates = new Map<Mutant, MutantFate>([
    [a, survived],
    [b, survived],
  ]);
  expect(waive(fates, [waiver]).get(a)).toEqual({
    status: "waived",
    category: "infeasible",
    reason: "8 GiB",
  });
  expect(waive(fates, [waiver]).get(b)).toEqual(survived);
  const dead = new Map<Mutant, MutantFate>([[a, killed]]);
  expect(waive(dead, [waiver]).get(a)).toEqual(killed);
  expect(needlessWaivers(dead, [waiver])).toEqual([
    "the waiver of a is not needed: the hidden layer kills it",
  ]);
});

test("a waiver of a mutant that is not there, or is in another file, is stale", () => {
  const waivers = [waiver, { ...waiver, mutant: "gone" }, { ...waiver, mutant: "b", file: "other.cpp" }];
  expect(staleWaivers([a, b], waivers).map(({ message }) => message)).toEqual([
    "waiver of gone: there is no such mutant",
    "waiver of b: that mutant is in a.cpp, not in other.cpp",
  ]);
});
