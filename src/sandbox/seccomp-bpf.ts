/** A small assembler for seccomp's classic BPF. A program is a value that ends on every path, so programs nest. */

/**
 * Returns an action whichever way it is taken; `size` counts instructions. A tree, laid out only once at the
 * end: to copy lists of instructions at each level took longer than the kernel takes to load them.
 */
export type Program =
  | { readonly kind: "return"; readonly size: 1; readonly k: number }
  | { readonly kind: "load"; readonly size: number; readonly at: number; readonly then: Program }
  | {
      readonly kind: "when";
      readonly size: number;
      readonly test: Test;
      readonly yes: Program;
      readonly no: Program;
    };

/** A question about the loaded word. `anyBit`: it shares a bit with `k`. */
export interface Test {
  readonly op: "equals" | "atLeast" | "anyBit";
  readonly k: number;
}

/** Opcodes of <linux/bpf_common.h>, as far as they are used here. */
export const opcode = {
  load: 0x20,
  jump: 0x05,
  equals: 0x15,
  atLeast: 0x35,
  anyBit: 0x45,
  ret: 0x06,
} as const;

/** Actions of <linux/seccomp.h>. */
export const action = { killProcess: 0x80000000, errno: 0x00050000, allow: 0x7fff0000 } as const;

/** Offsets into `struct seccomp_data`. */
const offset = { number: 0, arch: 4, args: 16 } as const;

/** The most that a conditional jump can skip. */
const maxSkip = 255;

const ret = (k: number): Program => ({ kind: "return", size: 1, k });

/** The call is made. */
export const allow = ret(action.allow);
/** The whole process is killed by SIGSYS. */
export const kill = ret(action.killProcess);
/** The call isn't made and fails with this `errno`. */
export const failWith = (errno: number): Program => ret(action.errno | errno);

const load = (at: number, then: Program): Program => ({ kind: "load", size: 1 + then.size, at, then });
export const loadNumber = (then: Program): Program => load(offset.number, then);
export const loadArch = (then: Program): Program => load(offset.arch, then);
/** Loads the low half of an argument: all of it for what the kernel takes as an int or as flags. */
export const loadArg = (index: number, then: Program): Program => load(offset.args + index * 8, then);
const loadArgHigh = (index: number, then: Program): Program => load(offset.args + index * 8 + 4, then);

/** `yes` or `no`, by the word that was loaded last. */
export function when(test: Test, yes: Program, no: Program): Program {
  const branch = yes.size > maxSkip ? 2 : 1;
  return { kind: "when", size: branch + yes.size + no.size, test, yes, no };
}

/** `yes` where the loaded word is one of `values`. */
export function whenOneOf(values: readonly number[], yes: Program, no: Program): Program {
  return values.reduceRight<Program>((rest, k) => when({ op: "equals", k }, yes, rest), no);
}

/** `yes` where all 64 bits of an argument are zero: a null pointer. */
export function whenNull(index: number, yes: Program, no: Program): Program {
  const zero: Test = { op: "equals", k: 0 };
  return loadArg(index, when(zero, loadArgHigh(index, when(zero, yes, no)), no));
}

/** What becomes of the call numbers from `from` up to the next entry's. */
interface Range {
  readonly from: number;
  readonly program: Program;
}

/**
 * Chooses by the loaded call number. A binary tree of comparisons: the kernel runs it once for each call that
 * its cache of always-allowed numbers doesn't know.
 */
export function byNumber(programs: ReadonlyMap<number, Program>, otherwise: Program): Program {
  const ranges: Range[] = [{ from: 0, program: otherwise }];
  const add = (from: number, program: Program) => {
    const last = ranges.at(-1);
    if (last?.from === from) ranges.pop();
    if (ranges.at(-1)?.program !== program) ranges.push({ from, program });
  };
  for (const [number, program] of [...programs].sort(([a], [b]) => a - b)) {
    add(number, program);
    add(number + 1, otherwise);
  }
  return tree(ranges);
}

function tree(ranges: readonly Range[]): Program {
  const middle = ranges.length >> 1;
  const pivot = ranges[middle];
  if (pivot === undefined) throw new RangeError("no ranges");
  if (middle === 0) return pivot.program;
  return when({ op: "atLeast", k: pivot.from }, tree(ranges.slice(middle)), tree(ranges.slice(0, middle)));
}

/** The program as the kernel reads it: an array of `struct sock_filter`, little-endian. */
export function assemble(program: Program): Buffer {
  const bytes = Buffer.alloc(program.size * 8);
  let end = 0;
  const put = (code: number, k: number, jt = 0, jf = 0) => {
    bytes.writeUInt32LE(code + jt * 0x10000 + jf * 0x1000000, end);
    end = bytes.writeUInt32LE(k, end + 4);
  };
  layOut(program, put);
  return bytes;
}

function layOut(program: Program, put: (code: number, k: number, jt?: number, jf?: number) => void): void {
  switch (program.kind) {
    case "return":
      put(opcode.ret, program.k);
      break;
    case "load":
      put(opcode.load, program.at);
      layOut(program.then, put);
      break;
    case "when": {
      const { test, yes, no } = program;
      if (yes.size <= maxSkip) put(opcode[test.op], test.k, 0, yes.size);
      else {
        // Too far for a conditional jump: step over a long one instead.
        put(opcode[test.op], test.k, 1, 0);
        put(opcode.jump, yes.size);
      }
      layOut(yes, put);
      layOut(no, put);
      break;
    }
  }
}
