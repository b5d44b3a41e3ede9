/** One line of `doctor`. */
import { asFault } from "./fault.ts";

/** What was looked at and what came of it. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it. */
  readonly mend?: string;
  /** Without it nothing can be graded. */
  readonly isVital?: boolean;
}

/** What a check of {@link checked} found: ok with a detail, or the check itself but for its name. */
type Found = string | Omit<Check, "name">;

/** Runs one check; what it throws is its finding. */
export async function checked(
  name: string,
  check: () => Found | Promise<Found>,
  isVital = false,
): Promise<Check> {
  try {
    return named(name, await check());
  } catch (error) {
    return { name, ...broken(error), ...(isVital ? { isVital } : {}) };
  }
}

/** As {@link checked}, for checks that wait for nothing. */
export function checkedNow(name: string, check: () => Found, isVital = false): Check {
  try {
    return named(name, check());
  } catch (error) {
    return { name, ...broken(error), ...(isVital ? { isVital } : {}) };
  }
}

function named(name: string, found: Found): Check {
  return typeof found === "string" ? { name, status: "ok", detail: found } : { name, ...found };
}

function broken(error: unknown): Omit<Check, "name"> {
  const { exit, message, hint } = asFault(error);
  if (exit === 130 || exit === 143) throw error;
  return { status: "fail", detail: message, ...(hint === undefined ? {} : { mend: hint }) };
}
