/** The two filters under real runs: attacks are stopped, honest programs and the sanitizers still work. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oomKills } from "../../src/grade/build-step.ts";
import { Cache } from "../../src/grade/cache.ts";
import type { GradeContext } from "../../src/grade/context.ts";
import { judgeRun } from "../../src/grade/judge.ts";
import { layTree, prepareLayers } from "../../src/grade/prepare.ts";
import { type ReadyTarget, type RunFilters, runTest } from "../../src/grade/run-test.ts";
import { probeToolchain } from "../../src/grade/toolchain.ts";
import { Machine } from "../../src/sandbox/machine.ts";
import { innerFilter, outerFilter } from "../../src/sandbox/seccomp.ts";
import { loadTask } from "../../src/task/load.ts";

const fixture = fileURLToPath(new URL("fixtures/seccomp", import.meta.url));
const filters: RunFilters = { outer: outerFilter(), inner: innerFilter() };
const openFilters: RunFilters = {
  outer: outerFilter(),
  inner: innerFilter({ allowFork: true, allowExec: true }),
};
const asan = "address and undefined";
const tsan = "thread";
const bare = "no sanitizer";

let root: string;
let machine: Machine;
const built = new Map<string, ReadyTarget>();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "ho-seccomp-"));
  chmodSync(root, 0o755);
  machine = Machine.open({ path: process.env.PATH ?? "/usr/bin:/bin", tmpRoot: tmpdir() });
  const task = await loadTask(writeTask(join(root, "task")));
  const cache = new Cache(join(root, "cache"));
  const toolchain = await probeToolchain("g++", machine, cache);
  const context: GradeContext = {
    task,
    toolchain,
    machine,
    cache,
    calibration: { status: "missing" },
    many: false,
    reuseRecords: false,
  };
  const tree = layTree(context, task.sources);
  const { layers } = await prepareLayers(context, ["visible", "hidden"], tree, undefined);
  for (const layer of layers.values()) {
    if (layer.status === "decided") throw new Error(JSON.stringify(layer.outcome));
    for (const ready of layer.targets) built.set(ready.target.sanitizers.join(" and ") || bare, ready);
  }
});

afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** One candidate, built under three sets of sanitizers. */
function writeTask(folder: string): string {
  for (const part of ["include", "src", "tests"]) mkdirSync(join(folder, part), { recursive: true });
  cpSync(join(fixture, "candidate.hpp"), join(folder, "include/candidate.hpp"));
  for (const unit of ["attacks.cpp", "honest.cpp"]) cpSync(join(fixture, unit), join(folder, "src", unit));
  for (const name of ["visible", "hidden"])
    cpSync(join(fixture, "test.cpp"), join(folder, "tests", `${name}.cpp`));
  const manifest = {
    id: "seccomp",
    sources: ["include/candidate.hpp", "src/attacks.cpp", "src/honest.cpp"],
    visible: "tests/visible.cpp",
    hidden: [
      { source: "tests/hidden.cpp", sanitize: ["thread"] },
      { source: "tests/hidden.cpp", sanitize: "none" },
    ],
    cxxflags: ["-std=c++20", "-O1"],
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

/** The built candidate, about to do one thing under these filters. */
function doing(what: string, sanitizers = asan, under: RunFilters | null = filters): ReadyTarget {
  const { filters: _, ...ready } = built.get(sanitizers) ?? raise(`not built: ${sanitizers}`);
  const [kind = "", ...name] = what.split(": ");
  const target = { ...ready.target, args: [kind, name.join(": ")] };
  return { ...ready, target, ...(under === null ? {} : { filters: under }) };
}

function raise(message: string): never {
  throw new Error(message);
}

/** What the candidate said became of it, once the run is sure to have ended well. */
async function said(ready: ReadyTarget): Promise<string> {
  const report = await runTest(machine, ready);
  const verdict = judgeRun(report, ready.target, oomKills());
  return verdict.status === "pass"
    ? report.sandbox.stdout.text
    : `${verdict.cause}: ${verdict.detail}\n${report.sandbox.stderr.text}`;
}

/** The verdict in a word or two: the cause of a failure, or whether memory leaked. */
async function judged(ready: ReadyTarget): Promise<string> {
  const report = await runTest(machine, ready);
  const verdict = judgeRun(report, ready.target, oomKills());
  if (verdict.status === "fail") return `${verdict.cause} · ${verdict.detail}`;
  return verdict.leak ? `leak of ${verdict.leak.message}` : `pass, leaks: ${verdict.leak}`;
}

describe("an attack is stopped, and the run goes on to its proof", () => {
  test.each([
    ["fork", "EPERM"],
    ["raw fork", "EPERM"],
    ["vfork", "EPERM"],
    ["a tracer with a signal", "EPERM"],
    ["a user namespace by clone", "EPERM"],
    ["a user namespace by unshare", "EPERM"],
    ["posix_spawn", "EPERM"],
    ["exec", "EPERM"],
    ["a socket", "EPERM"],
    ["a netlink socket", "EPERM"],
    ["writable text", "EPERM"],
    ["executable memory", "EPERM"],
    ["moved text", "EPERM"],
    ["memfd and dlopen", "EPERM"],
    ["dlopen of a new file", "not mapped"],
    ["own memory as a file", "EROFS"],
    ["the supervisor's memory as a file", "EACCES"],
    ["SIGKILL to the supervisor", "EPERM"],
    ["SIGSTOP to the supervisor", "EPERM"],
    ["tgkill to the supervisor", "EPERM"],
    ["a queued signal to the supervisor", "EPERM"],
    ["a signal to the group", "EPERM"],
    ["a signal to everybody", "EPERM"],
    ["a signal to the supervisor by way of a pipe", "EPERM"],
    ["a limit of the supervisor", "EPERM"],
    ["a filter on exit_group by prctl", "EPERM"],
    ["a filter on exit_group by seccomp", "EPERM"],
    ["system call user dispatch", "EPERM"],
    ["single steps by the trap flag", "EPERM"],
    ["tracing the supervisor", "EPERM"],
    ["tracing init", "EPERM"],
    ["being traced", "EPERM"],
    ["a low priority", "EPERM"],
    ["idle scheduling", "EPERM"],
    ["readable is executable", "EPERM"],
    ["executable shared memory", "ENOSYS"],
    ["faulting CPUID", "EPERM"],
    ["surviving the supervisor", "EPERM"],
    ["hiding from LeakSanitizer", "EPERM"],
  ])("%s: %s", async (name, errno) => {
    expect(await said(doing(`attack: ${name}`))).toBe(errno);
  });
});

test("a thread of TSan's runtime from before the filter can't be made to run candidate code", async () => {
  expect(await said(doing("attack: a thread from before the filter", tsan))).toBe("EPERM");
});

describe("the same attacks without filters, to show that it is the filters that stop them", () => {
  test.each([
    "fork",
    "a socket",
    "writable text",
    "executable memory",
    "moved text",
    "memfd and dlopen",
    "dlopen of a new file",
    "a limit of the supervisor",
    "a filter on exit_group by seccomp",
    "system call user dispatch",
    "single steps by the trap flag",
    "a low priority",
    "readable is executable",
    "executable shared memory",
    "surviving the supervisor",
    "hiding from LeakSanitizer",
  ])("%s works", async (name) => {
    expect(await said(doing(`attack: ${name}`, bare, null))).toMatch(/^done|^early-exit/);
  });

  test("a signal by way of a pipe takes the supervisor down", async () => {
    const name = "attack: a signal to the supervisor by way of a pipe";
    expect(await said(doing(name, asan, null))).toMatch(/^early-exit: the run took its supervisor down/);
  });
});

describe("calls made in another architecture's way", () => {
  test.each(["a call of i386", "a call of x32"])("%s kills the process", async (name) => {
    expect(await judged(doing(`attack: ${name}`))).toBe("signal · killed by signal 31 (SIGSYS)");
  });
});

describe("honest code works under both filters", () => {
  test.each([asan, tsan, bare])("with %s", async (sanitizers) => {
    expect(await said(doing("honest: everything", sanitizers))).toBe("done");
  });

  test("and where the task allows it, forks and starts programs", async () => {
    expect(await said(doing("honest: forks", asan, openFilters))).toBe("done");
    expect(await said(doing("honest: starts", asan, openFilters))).toBe("done");
  });
});

describe("the sanitizers work under both filters", () => {
  test.each([
    ["bug: none", asan, "pass, leaks: false"],
    ["bug: none", tsan, "pass, leaks: null"],
    ["bug: none", bare, "pass, leaks: null"],
    ["bug: leak", asan, /^leak of .*400 byte/],
    ["bug: overflow", asan, /^asan · heap-buffer-overflow at src\/honest.cpp:\d+/],
    ["bug: undefined", asan, /^ubsan · .*src\/honest.cpp:\d+/],
    ["bug: race", tsan, /^tsan · data-race/],
    ["bug: abort", asan, "signal · killed by signal 6 (SIGABRT)"],
    ["fail: ", asan, /^assertion · tests\/visible.cpp:\d+: assert/],
  ])("%s with %s", async (what, sanitizers, verdict) => {
    const got = await judged(doing(what, sanitizers));
    if (typeof verdict === "string") expect(got).toBe(verdict);
    else expect(got).toMatch(verdict);
  });
});
