/** All mutators that look at one place at a time. A new one is a file in this folder and a line here. */
import type { Mutator } from "../mutator.ts";
import { allocation } from "./allocation.ts";
import { arithmetic } from "./arithmetic.ts";
import { bitwise } from "./bitwise.ts";
import { casts } from "./casts.ts";
import { constants } from "./constants.ts";
import { guards } from "./guards.ts";
import { logical } from "./logical.ts";
import { narrowing } from "./narrowing.ts";
import { relational } from "./relational.ts";
import { returns } from "./returns.ts";
import { shownValues } from "./shown-values.ts";
import { specialCase } from "./special-case.ts";
import { statements } from "./statements.ts";
import { swaps } from "./swaps.ts";
import { text } from "./text.ts";
import { unary } from "./unary.ts";
import { wrapping } from "./wrapping.ts";

/** The more telling name first: of mutants with the same text only the first is kept. */
export const mutators: readonly Mutator[] = [
  wrapping,
  arithmetic,
  relational,
  logical,
  bitwise,
  returns,
  constants,
  guards,
  unary,
  statements,
  swaps,
  allocation,
  text,
  narrowing,
  casts,
  shownValues,
  specialCase,
];
