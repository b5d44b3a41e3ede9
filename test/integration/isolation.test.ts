/** `"isolation": "process"`: the test in one process, the candidate in another, under the real sandbox. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cache } from "../../src/grade/cache.ts";
import type { GradeContext } from "../../src/grade/context.ts";
import { judgeLayer } from "../../src/grade/layer.ts";
import { lenientPolicy } from "../../src/grade/layer-policy.ts";
import { layTree, prepareLayers } from "../../src/grade/prepare.ts";
import { applyToTask } from "../../src/grade/recorded.ts";
import { probeToolchain } from "../../src/grade/toolchain.ts";
import { GraderError } from "../../src/model/errors.ts";
import type { FileTree, Task } from "../../src/model/task.ts";
import { Machine } from "../../src/sandbox/machine.ts";
import { loadTask } from "../../src/task/load.ts";
import { corpusTask } from "../support/corpus.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask, type ManifestChanges } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("isolation");
const example = inRepository("examples/bounded-queue");
const header = "include/bounded_queue.hpp";
const unit = "src/bounded_queue.cpp";
const limits = { cpuSeconds: 5, wallSeconds: 60 };

/** A hidden test of a few thousand calls. The number is what an attack looks for in memory. */
const hidden = `#include "bounded_queue.hpp"
#include <cassert>
#include <cstdlib>
#include <type_traits>
static_assert(!std::is_convertible_v<std::size_t, BoundedQueue>);
static_assert(!std::is_copy_constructible_v<BoundedQueue>);
volatile std::uint64_t secret = 0x5ec2e7a11ce0ffee;
int main() {
    for (std::size_t cap : {10, 15, 3}) {
        BoundedQueue queue(cap);
        assert(queue.capacity() == cap && secret != 0);
        for (std::size_t lap = 0; lap < 20; ++lap) {
            for (std::size_t i = 0; i < cap; ++i) assert(queue.push(static_cast<std::int32_t>(i * 7)));
            assert(!queue.push(1) && queue.size() == cap);
            for (std::size_t i = 0; i < cap; ++i) assert(queue.pop() == static_cast<std::int32_t>(i * 7));
            assert(!queue.pop());
        }
    }
    return 0;
}
`;

function fixture(name: string): string {
  return readFileSync(inRepository(`test/integration/fixtures/isolation/${name}`), "latin1");
}

let machine: Machine;
let cache: Cache;
let small: Task;

beforeAll(async () => {
  machine = Machine.open({ path: process.env.PATH ?? "/usr/bin:/bin", tmpRoot: root });
  cache = new Cache(join(root, "cache"));
  small = await taskWith(hidden, {});
});

afterAll(() => machine[Symbol.asyncDispose]());

/** The example with another hidden test. */
function taskWith(oracle: string, changes: ManifestChanges, target: ManifestChanges = {}): Promise<Task> {
  const hiddenTarget = { source: "oracles/hidden.cpp", isolation: "process", ...target };
  const folder = copyTask(example, root, { hidden: hiddenTarget, limits, memoryLeaks: "fail", ...changes });
  writeFileSync(join(folder, "oracles/hidden.cpp"), oracle);
  return loadTask(folder);
}

/** What the hidden layer alone comes to: nothing but isolation stands between an attack and a pass. */
async function judge(task: Task, sources: FileTree) {
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
  const layer = (await prepareLayers(context, ["hidden"], layTree(context, sources), 12345)).layers.get(
    "hidden",
  );
  if (layer?.status !== "ready") return layer?.outcome;
  return judgeLayer(machine, layer.targets, { ...lenientPolicy, leaksFail: () => Promise.resolve(true) });
}

function patched(task: Task, patch: string): FileTree {
  const applied = applyToTask(task, readFileSync(patch));
  if (applied.status === "rejected") throw new Error(applied.reason);
  return applied.tree;
}

function examplePatch(name: string): FileTree {
  return patched(small, join(example, "patches", `${name}.diff`));
}

/** The reference with some of its text replaced. */
function altered(...edits: [file: string, from: string, to: string][]): FileTree {
  const files = new Map(examplePatch("modulo-64-bit"));
  for (const [file, from, to] of edits) {
    const text = files.get(file) ?? "";
    expect(text).toContain(from);
    files.set(
      file,
      text.replace(from, () => to),
    );
  }
  return files;
}

const pushes = "bool BoundedQueue::push(std::int32_t value) {";

/** The reference, but push does something first. */
function pushThat(does: string, before = ""): FileTree {
  return altered([unit, pushes, `${before}\n${pushes} ${does}`]);
}

describe("the bounded queue", () => {
  test.each(["modulo-64-bit", "deque-inside", "ring-rounded-up", "vector-rule-of-zero", "wrapped-indices"])(
    "%s passes",
    async (name) => {
      expect(await judge(small, examplePatch(name))).toMatchObject({ status: "pass" });
    },
  );

  test("the reference passes the shipped oracle, whose white-box seam compiles away", async () => {
    const oracle = readFileSync(join(example, "oracles/hidden.cpp"), "latin1");
    const roomy = { cxxflags: ["-fno-access-control"], limits: { cpuSeconds: 60, wallSeconds: 120 } };
    const task = await taskWith(oracle, {}, roomy);
    expect(await judge(task, examplePatch("modulo-64-bit"))).toMatchObject({ status: "pass" });
  });

  test.each([
    ["keeps-power-of-two-mask", "assertion"],
    ["special-cases-shown-capacities", "assertion"],
    ["mask-rounded-up-over-cap-slots", "asan"],
    ["does-not-compile", "compile-error"],
  ])("%s fails with %s", async (name, cause) => {
    expect(await judge(small, examplePatch(name))).toMatchObject({ status: "fail", cause });
  });

  test("an overflow is named by the line of the candidate", async () => {
    const outcome = await judge(small, examplePatch("mask-rounded-up-over-cap-slots"));
    expect(outcome).toMatchObject({
      detail: expect.stringMatching(/^heap-buffer-overflow at src\/bounded_queue.cpp:\d+/),
    });
  });
});

describe("how the candidate's process ends decides", () => {
  test("a leak is found where the memory is", async () => {
    const files = altered([unit, "{ delete[] buf_; }", "{}"]);
    expect(await judge(small, files)).toMatchObject({ status: "fail", cause: "leak" });
  });

  test.each([
    ["exit", "std::exit(0);", "early-exit"],
    ["_exit", "_exit(0);", "early-exit"],
    ["a crash", "*(volatile int*)nullptr = 1;", "ubsan"],
    ["abort", "std::abort();", "signal"],
    ["a status of its own", "_exit(3);", "nonzero-exit"],
    ["an endless loop", "for (volatile unsigned i = 0;; i = i + 1) {}", "timeout"],
  ])("%s in a call", async (_, does, cause) => {
    const task = await taskWith(hidden, { limits: { cpuSeconds: 2, wallSeconds: 30 } });
    const files = pushThat(`if (cap_ == 10) { ${does} }`, "#include <cstdlib>\n#include <unistd.h>");
    expect(await judge(task, files)).toMatchObject({ status: "fail", cause });
  });

  test("waiting for ever is a timeout", async () => {
    const task = await taskWith(hidden, { limits: { cpuSeconds: 2, wallSeconds: 3 } });
    const files = pushThat("if (cap_ == 10) pause();", "#include <unistd.h>");
    expect(await judge(task, files)).toMatchObject({ status: "fail", cause: "timeout" });
  });

  test("leaving in the last destructor, when every check has passed, is no pass", async () => {
    const files = altered(
      [unit, "{ delete[] buf_; }", "{ delete[] buf_; if (cap_ == 3) _exit(0); }"],
      [unit, "#include", "#include <unistd.h>\n#include"],
    );
    expect(await judge(small, files)).toMatchObject({ status: "fail", cause: "early-exit" });
  });

  test("a fault in the last destructor is no pass", async () => {
    const files = altered([unit, "{ delete[] buf_; }", "{ buf_[cap_] = 0; delete[] buf_; }"]);
    expect(await judge(small, files)).toMatchObject({ status: "fail", cause: "asan" });
  });
});

describe("an attack", () => {
  test.each([
    [
      "assert, main and NDEBUG",
      ["#define assert(x) ((void)0)", "#define main not_main", "#define NDEBUG"],
      "assertion",
    ],
    ["if", ["#define if while (0)"], "compile-error"],
  ])("whose header redefines %s reaches no byte of the test", async (_, macros, cause) => {
    const files = new Map(examplePatch("keeps-power-of-two-mask"));
    files.set(header, `${files.get(header) ?? ""}\n${macros.join("\n")}\n`);
    expect(await judge(small, files)).toMatchObject({ status: "fail", cause });
  });

  test("that puts a dispatcher of its own in the server's place can only send values, and these are checked", async () => {
    const forged = `
#undef ho_dispatch
extern "C" __attribute__((visibility("default"))) unsigned long ho_dispatch(unsigned, unsigned, const unsigned char*, unsigned long, const unsigned char** reply) {
  static const unsigned char said[] = {0, 2};
  *reply = said;
  return sizeof said;
}
`;
    const text = examplePatch("modulo-64-bit");
    const files = new Map(text);
    files.set(header, `${text.get(header) ?? ""}\n#define ho_dispatch not_this_one\n`);
    files.set(unit, `${text.get(unit) ?? ""}${forged}`);
    expect(await judge(small, files)).toMatchObject({ status: "fail", cause: "tampering" });
  });

  test("that changes a result's type is stopped at the server's compile, in the header's own words", async () => {
    const files = altered(
      [header, "bool push", "int push"],
      [unit, "bool BoundedQueue::push", "int BoundedQueue::push"],
    );
    expect(await judge(small, files)).toMatchObject({
      status: "fail",
      cause: "compile-error",
      detail: expect.stringMatching(/^include\/bounded_queue.hpp:16: .*BoundedQueue::push must return bool/),
    });
  });

  test.each([
    ["rewrites-the-checks", "assertion"],
    ["agreeable-types", "compile-error"],
    ["equality-always-true", "assertion"],
    ["copies-the-key", "early-exit"],
    ["parent-exits-child-stays", "early-exit"],
  ])("%s of the corpus fails with %s", async (name, cause) => {
    const target = { source: "oracles/hidden.cpp", isolation: "process" };
    const task = await loadTask(copyTask(corpusTask, root, { hidden: target, limits }));
    const files = patched(task, inRepository(`test/corpus/REJECTED/${name}/patch.diff`));
    expect(await judge(task, files)).toMatchObject({ status: "fail", cause });
  });

  describe("that looks for the oracle", () => {
    const other = `0x${(0x5ec2e7a11ce0ffeen ^ 0x1111111111111111n).toString(16)}`;
    const looks = fixture("looks-around.inc").replace("OTHER", () => `${other}ul`);
    test("finds it in an address space that it shares", async () => {
      const files = pushThat("if (finds()) std::abort();", looks);
      const task = await taskWith(hidden, {}, { isolation: "none" });
      expect(await judge(task, files)).toMatchObject({ status: "fail", cause: "signal" });
    });

    test("finds nothing in the process of its own, and can open no other", async () => {
      const does =
        'static const bool found = finds() || opens_another() || std::getenv("HIDDEN_ORACLE_SEED"); if (found) std::abort();';
      const task = await taskWith(hidden, {}, { seed: true });
      expect(await judge(task, pushThat(does, looks))).toMatchObject({ status: "pass" });
    });
  });
});

describe("what is more than a plain class interface", () => {
  test("is refused by name before anything is built", async () => {
    const folder = copyTask(example, root, {
      hidden: { source: "oracles/hidden.cpp", isolation: "process" },
    });
    const text = readFileSync(join(folder, header), "latin1");
    writeFileSync(join(folder, header), text.replace("private:", "    int pushed = 0;\n\nprivate:"));
    const task = await loadTask(folder);
    const error = await judge(task, task.sources).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(GraderError);
    expect(error).toMatchObject({
      exit: 65,
      message: expect.stringContaining("BoundedQueue: the public data member pushed"),
      location: { file: header, line: 21 },
    });
  });

  test("or a test that needs more than the proxy is the task's fault", async () => {
    const task = await taskWith(`${hidden}\nvoid more(BoundedQueue& q) { BoundedQueue copy(q); }\n`, {});
    const error = await judge(task, examplePatch("modulo-64-bit")).catch((e: unknown) => e);
    expect(error).toMatchObject({
      exit: 65,
      message: expect.stringContaining("can't be compiled against the proxy"),
    });
  });
});

test("values of every kind and exceptions of every kind cross the border", async () => {
  const folder = copyTask(inRepository("examples/bounded-queue"), root, {
    sources: ["include/shelf.hpp"],
    visible: "oracles/hidden.cpp",
    hidden: { source: "oracles/hidden.cpp", isolation: "process" },
    reference: undefined,
    alternatives: undefined,
    calibration: undefined,
  });
  writeFileSync(join(folder, "include/shelf.hpp"), fixture("shelf.hpp"));
  writeFileSync(join(folder, "oracles/hidden.cpp"), fixture("shelf-test.cpp"));
  const task = await loadTask(folder);
  expect(await judge(task, task.sources)).toMatchObject({ status: "pass" });
});
