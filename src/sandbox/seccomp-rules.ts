/** What the two filters' rules have in common: answers, and rules that look at arguments. */
import { constants } from "node:os";
import { allow, failWith, loadArg, type Program, when, whenNull, whenOneOf } from "./seccomp-bpf.ts";

/** What becomes of each named call. */
export type Rules = ReadonlyMap<string, Program>;

/** For what honest code may try and can go on without. */
export const denied = failWith(constants.errno.EPERM);
/** For what a library only tries, and has an older way for. */
export const unknown = failWith(constants.errno.ENOSYS);
/** What every ioctl of a terminal answers where there is none. */
export const noTerminal = failWith(constants.errno.ENOTTY);

/** One answer for several calls, named in a text. */
export function all(program: Program, names: string): [string, Program][] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, program]);
}

/** Allowed only with one of these values of an argument. */
export const onlyWith = (index: number, values: readonly number[], otherwise = denied): Program =>
  loadArg(index, whenOneOf(values, allow, otherwise));

/** Denied with one of these values of an argument. */
export const exceptWith = (index: number, values: readonly number[]): Program =>
  loadArg(index, whenOneOf(values, denied, allow));

/** Denied with any of these bits in an argument. */
export const exceptBits = (index: number, bits: number): Program =>
  loadArg(index, when({ op: "anyBit", k: bits }, denied, allow));

/** Allowed only where an argument is a null pointer. */
export const onlyNull = (index: number): Program => whenNull(index, allow, denied);

/** ATTACH, CONT, KILL, DETACH, GETREGS, GETREGSET: all that LeakSanitizer's StopTheWorld asks for. */
const leakSanitizerRequests = [16, 7, 8, 17, 12, 0x4204];

/**
 * ptrace that reads and stops but never changes: no POKE, SETREGS, SYSCALL or SINGLESTEP, and only of
 * processes from `firstPid` on.
 */
export const tracing = (firstPid: number): Program =>
  loadArg(0, whenOneOf(leakSanitizerRequests, loadArg(1, fromPid(firstPid)), denied));

/** Of the loaded word: allowed for single processes from `first` on, never for groups (0, or negative). */
export function fromPid(first: number): Program {
  const positive = when({ op: "atLeast", k: first }, allow, denied);
  return when({ op: "atLeast", k: 0x80000000 }, denied, positive);
}

/** fcntl commands that make the kernel send a chosen signal (SIGKILL too) to a chosen process. */
export const signalOwner = { setOwner: 8, setSignal: 10, setOwnerEx: 15 } as const;

/** `personality` as a question. */
export const personalityQuery = 0xffffffff;
