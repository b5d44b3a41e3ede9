/** Options that several commands share, and how their values are read. */
import { InvalidArgumentError, Option } from "commander";

/** Calls what a command does and keeps its exit code. */
export type Go = (work: Promise<number>) => Promise<void>;

/** `--task`, the same for every command that works on one. */
export const taskOption = () =>
  new Option("-t, --task <DIR>", "the task's folder or manifest (default: the nearest manifest.json upward)");

/** `--identity`, the same for every command that opens an oracle. */
export const identityOption = () =>
  new Option("-i, --identity <FILE>", "the age identity that opens a sealed oracle");

/** `--jobs`, the same for every command that runs sandboxes. */
export const jobsOption = () =>
  new Option("-j, --jobs <N>", "sandboxes at a time (default: the number of cores)").argParser(positive);

/** A count from 1 to 4096. @throws InvalidArgumentError */
export function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 4096) return number;
  throw new InvalidArgumentError("It must be a whole number from 1 to 4096.");
}

/** A seed, 32 bits unsigned. @throws InvalidArgumentError */
export function seed(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 2 ** 32) return number;
  throw new InvalidArgumentError("It must be a whole number from 0 to 4294967295.");
}
