import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import { innerFilter, outerFilter } from "./seccomp.ts";
import { allow, assemble, byNumber, failWith, loadNumber } from "./seccomp-bpf.ts";
import { syscallTables } from "./seccomp-syscalls.ts";

const x64 = 0xc000003e;
const i386 = 0x40000003;
const arm64 = 0xc00000b7;

/** What the kernel's interpreter returns for `struct seccomp_data`. */
function interpret(filter: Buffer, nr: number, args: readonly bigint[], audit: number): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr >>> 0, 0);
  data.writeUInt32LE(audit, 4);
  for (const [i, arg] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, arg), 16 + i * 8);
  let word = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [jt, jf, k] = [filter[at * 8 + 2] ?? 0, filter[at * 8 + 3] ?? 0, filter.readUInt32LE(at * 8 + 4)];
    switch (filter.readUInt16LE(at * 8)) {
      case 0x20:
        word = data.readUInt32LE(k);
        break;
      case 0x05:
        at += k;
        break;
      case 0x15:
        at += word === k ? jt : jf;
        break;
      case 0x35:
        at += word >= k ? jt : jf;
        break;
      case 0x45:
        at += (word & k) !== 0 ? jt : jf;
        break;
      case 0x06:
        return k;
      default:
        throw new Error(`unknown instruction at ${at}`);
    }
  }
  throw new Error("ran off the end");
}

const names = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));
names.set(constants.errno.EAGAIN, "EAGAIN");

function answer(filter: Buffer, call: string | number, args: readonly number[] = [], audit = x64) {
  const arch = audit === arm64 ? "arm64" : "x64";
  const nr = typeof call === "number" ? call : syscallTables[arch]?.numbers.get(call);
  if (nr === undefined) throw new Error(`no call ${call}`);
  const result = interpret(filter, nr, args.map(BigInt), audit);
  if (result === 0x7fff0000) return "allow";
  if (result === 0x80000000) return "kill";
  return names.get(result & 0xffff) ?? result;
}

const outer = outerFilter({ arch: "x64" });
const inner = innerFilter({ arch: "x64" });
const ownPid = 0x7fffaaaa;

describe("the assembler", () => {
  test("chooses the program of every number, in the range and out of it", () => {
    const program = fc.integer({ min: 1, max: 90 });
    fc.assert(
      fc.property(fc.dictionary(fc.integer({ min: 0, max: 2000 }).map(String), program), (chosen) => {
        const programs = new Map(Object.entries(chosen).map(([nr, errno]) => [Number(nr), failWith(errno)]));
        const filter = assemble(loadNumber(byNumber(programs, allow)));
        for (let nr = 0; nr <= 2002; nr++) {
          const errno = chosen[nr];
          expect(interpret(filter, nr, [], x64)).toBe(errno === undefined ? 0x7fff0000 : 0x50000 | errno);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("jumps farther than a conditional jump can", () => {
    const programs = new Map(Array.from({ length: 400 }, (_, nr) => [nr, failWith((nr % 90) + 1)] as const));
    const filter = assemble(loadNumber(byNumber(programs, allow)));
    for (let nr = 0; nr < 400; nr++) expect(interpret(filter, nr, [], x64) & 0xffff).toBe((nr % 90) + 1);
  });
});

describe("both filters", () => {
  test("are the same bytes each time, and short enough for the kernel and the launcher", () => {
    expect(outerFilter()).toEqual(outerFilter());
    expect(innerFilter()).toEqual(innerFilter());
    for (const filter of [outer, inner, innerFilter({ allowFork: true, allowExec: true })])
      expect(filter.length / 8).toBeLessThan(4096);
  });

  test.each([
    ["outer", outer],
    ["inner", inner],
  ])("the %s kills calls of another architecture and of x32", (_, filter) => {
    expect(answer(filter, 1, [], i386)).toBe("kill");
    expect(answer(filter, 63, [], arm64)).toBe("kill");
    expect(answer(filter, 0x40000000)).toBe("kill");
    expect(answer(filter, 0x40000000 + 59)).toBe("kill");
    expect(answer(filter, 0xffffffff)).toBe("kill");
  });

  test("end on every path, whatever the call", () => {
    const argument = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 64n }));
    const args = fc.array(argument, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600 }), args, (nr, values) => {
        for (const filter of [outer, inner]) interpret(filter, nr, values, x64);
      }),
    );
  });

  test("exist for aarch64 as well", () => {
    const options = { arch: "arm64" };
    expect(answer(outerFilter(options), "mount", [], arm64)).toBe("EPERM");
    expect(answer(outerFilter(options), "execve", [], arm64)).toBe("allow");
    expect(answer(innerFilter(options), "openat", [], arm64)).toBe("allow");
    expect(answer(innerFilter(options), "mmap", [0, 4096, 5], arm64)).toBe("EPERM");
    expect(answer(innerFilter(options), "openat", [], x64)).toBe("kill");
  });

  test("refuse an architecture without a table", () => {
    const build = () => innerFilter({ arch: "riscv64" });
    expect(build).toThrow(GraderError);
    expect(build).toThrow("no system call filter for this architecture · riscv64");
  });

  test("number calls as this machine's headers do", () => {
    const header = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h";
    if (!existsSync(header)) return;
    const numbers = syscallTables.x64?.numbers;
    for (const [, name = "", nr] of readFileSync(header, "utf8").matchAll(/^#define __NR_(\w+) (\d+)$/gm))
      if (numbers?.has(name)) expect([name, numbers.get(name)]).toEqual([name, Number(nr)]);
  });
});

describe("the outer filter", () => {
  test.each<[string, readonly number[]]>([
    ["execve", []],
    ["mmap", [0, 4096, 5]],
    ["clone", [0x01200011]],
    ["clone", [0x003d0f00]],
    ["kill", [-1, 9]],
    ["prctl", [22, 2]],
    ["seccomp", [1, 1]],
    ["ptrace", [16, 2]],
    ["personality", [0xffffffff]],
    ["personality", [0x40000]],
    ["socketpair", [1, 1]],
  ])("lets through %s %j, which loader, launcher or supervisor may need", (call, args) => {
    expect(answer(outer, call, args)).toBe("allow");
  });

  test.each<[string, readonly number[]]>([
    ["mount", []],
    ["unshare", [0]],
    ["clone", [0x10000011]],
    ["clone", [0x7e020011]],
    ["ptrace", [16, 1]],
    ["ptrace", [16, -1]],
    ["ptrace", [0, 0]],
    ["ptrace", [4, 7]],
    ["ptrace", [5, 7]],
    ["ptrace", [0x4206, 7]],
    ["socket", [1, 1]],
    ["socketpair", [16, 1]],
    ["personality", [0x0400000]],
    ["seccomp", [1, 8]],
    ["prctl", [59, 1]],
    ["setpriority", [0, 0, 19]],
    ["memfd_create", []],
    ["ioctl", [0, 0x5412]],
    ["fcntl", [3, 8, 2]],
    ["fcntl", [3, 10, 9]],
  ])("denies %s %j", (call, args) => {
    expect(answer(outer, call, args)).toBe("EPERM");
  });

  test("answers as an old kernel would where libraries have an older way", () => {
    expect(answer(outer, "clone3")).toBe("ENOSYS");
    expect(answer(outer, "io_uring_setup")).toBe("ENOSYS");
  });

  test("lets sockets through for a task that needs the network", () => {
    for (const filter of [outerFilter, innerFilter])
      expect(answer(filter({ arch: "x64", network: true }), "socket", [2, 1])).toBe("allow");
  });
});

describe("the inner filter", () => {
  test.each<[string, readonly number[]]>([
    ["read", []],
    ["exit_group", []],
    ["clone", [0x003d0f00]],
    ["clone", [0x00800700]],
    ["mmap", [0, 4096, 3]],
    ["mprotect", [0, 4096, 1]],
    ["kill", [ownPid, 10]],
    ["tgkill", [ownPid, 99, 6]],
    ["rt_sigaction", [11, 0x7fff12345678]],
    ["rt_sigaction", [5, 0]],
    ["ptrace", [16, 3]],
    ["ptrace", [0x4204, 3]],
    ["prctl", [15]],
    ["prctl", [4, 1]],
    ["prctl", [1, 9]],
    ["prlimit64", [0, 7, 0, 0x7fff12345678]],
    ["futex", []],
    ["fcntl", [3, 1030]],
    ["personality", [0xffffffff]],
  ])("lets through %s %j", (call, args) => {
    expect(answer(inner, call, args)).toBe("allow");
  });

  test.each<[string, readonly number[]]>([
    ["fork", []],
    ["clone", [0x01200011]],
    ["clone", [0x00800711]],
    ["clone", [0x103d0f00]],
    ["clone", [0x4111]],
    ["execve", []],
    ["execveat", []],
    ["mmap", [0, 4096, 5]],
    ["mmap", [0, 4096, 7 + 2 ** 40]],
    ["mprotect", [0, 4096, 7]],
    ["pkey_mprotect", [0, 4096, 4]],
    ["mremap", []],
    ["kill", [0, 9]],
    ["kill", [-1, 9]],
    ["kill", [-ownPid, 9]],
    ["tgkill", [2, 2, 9]],
    ["rt_sigqueueinfo", [2, 9]],
    ["tkill", [2, 9]],
    ["ptrace", [16, 2]],
    ["ptrace", [16, 1]],
    ["ptrace", [13, 3]],
    ["prctl", [22, 2]],
    ["prctl", [59, 1]],
    ["prctl", [4, 0]],
    ["prctl", [1, 0]],
    ["seccomp", [1, 0]],
    ["personality", [0x0400000]],
    ["personality", [0]],
    ["rt_sigaction", [5, 0x7fff12345678]],
    ["rt_sigaction", [31, 2 ** 40]],
    ["rt_sigaction", [33, 0x7fff12345678]],
    ["prlimit64", [2, 0, 0x7fff12345678]],
    ["prlimit64", [2, 0, 2 ** 40]],
    ["setrlimit", []],
    ["setpriority", []],
    ["socket", []],
    ["socketpair", [1]],
    ["fcntl", [3, 8, 2]],
    ["fcntl", [3, 15, 2]],
    ["arch_prctl", [0x1002]],
    ["memfd_create", []],
  ])("denies %s %j", (call, args) => {
    expect(answer(inner, call, args)).toBe("EPERM");
  });

  test.each(["clone3", "io_uring_setup", "shmat", "landlock_restrict_self", "splice", "mount_setattr"])(
    "answers %s as a kernel that doesn't have it",
    (call) => {
      expect(answer(inner, call)).toBe("ENOSYS");
    },
  );

  test("answers calls of future kernels as one that doesn't have them", () => {
    for (let nr = 457; nr < 700; nr++) expect(answer(inner, nr)).toBe("ENOSYS");
  });

  test("says that nothing is a terminal", () => {
    expect(answer(inner, "ioctl", [1, 0x5401])).toBe("allow");
    expect(answer(inner, "ioctl", [1, 0x5412])).toBe("ENOTTY");
  });

  test("lets a test fork where its task allows it, without new namespaces or other programs", () => {
    const forking = innerFilter({ arch: "x64", allowFork: true });
    expect(answer(forking, "clone", [0x01200011])).toBe("allow");
    expect(answer(forking, "fork")).toBe("allow");
    expect(answer(forking, "clone", [0x10000011])).toBe("EPERM");
    expect(answer(forking, "execve")).toBe("EPERM");
    expect(answer(forking, "tgkill", [40, 40, 6])).toBe("allow");
    for (const pid of [2, 1, 0, -1, -40]) expect(answer(forking, "kill", [pid, 9])).toBe("EPERM");
  });

  test("lets a test start programs, which map their libraries, where its task allows it", () => {
    const starting = innerFilter({ arch: "x64", allowFork: true, allowExec: true });
    expect(answer(starting, "execve")).toBe("allow");
    expect(answer(starting, "mmap", [0, 4096, 5])).toBe("allow");
    expect(answer(starting, "prlimit64", [0, 4, 0x7fff12345678])).toBe("allow");
    expect(answer(starting, "prlimit64", [2, 4, 0x7fff12345678])).toBe("EPERM");
    expect(answer(starting, "arch_prctl", [0x1002])).toBe("allow");
  });
});
