/** The checks of `doctor` that build and run: each sanitizer and each limit must turn its own canary red. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cache } from "../grade/cache.ts";
import { grade } from "../grade/grade.ts";
import { probeToolchain } from "../grade/toolchain.ts";
import { GraderError } from "../model/errors.ts";
import type { FailCause } from "../model/outcome.ts";
import type { GradeRecord } from "../model/record.ts";
import type { Machine } from "../sandbox/machine.ts";
import { findProgram } from "../sandbox/sandbox.ts";
import { loadTask } from "../task/load.ts";
import { type Check, checked } from "./doctor-check.ts";
import { openCache, openContext, withMachine } from "./open.ts";

/** One body of `probe`, and what may become of it; no cause where it must pass. */
interface Canary {
  readonly name: string;
  readonly body: string;
  readonly causes: readonly FailCause[];
  readonly why: string;
}

const canaries: readonly Canary[] = [
  {
    name: "address sanitizer",
    body: "kept[0] = new char[n]; kept[0][n] = 1; delete[] kept[0];",
    causes: ["asan"],
    why: "an overflow",
  },
  {
    name: "undefined sanitizer",
    body: "shifted = 1 << (n + 40);",
    causes: ["ubsan"],
    why: "an undefined shift",
  },
  { name: "leak sanitizer", body: "lost = new int[n]; lost = nullptr;", causes: ["leak"], why: "a leak" },
  {
    name: "memory limit",
    body: "for (int i = 0; i < 4096; ++i) { kept[i] = new char[1 << 20]; memset(kept[i], n, 1 << 20); }",
    causes: ["memory-limit", "asan"],
    why: "a memory hog",
  },
  {
    name: "CPU limit",
    body: "for (shifted = 1; shifted;) shifted = shifted | 1;",
    causes: ["timeout", "signal"],
    why: "an endless loop",
  },
  {
    // Where all of these threads can be started, they are lost memory, which is another cause.
    name: "process limit",
    body: "try { for (int i = 0; i < 64; ++i) new std::thread([] { pause(); }); } catch (...) { abort(); }",
    causes: ["process-limit", "signal"],
    why: "a crowd of threads",
  },
];
const healthy: Canary = { name: "grading", body: "", causes: [], why: "a correct program" };

const header = "int probe(int n);\n";
const test = '#include "probe.hpp"\n#include <cassert>\nint main() { assert(probe(3) == 3); }\n';
const manifest = {
  id: "doctor",
  sources: ["probe.hpp", "probe.cpp"],
  visible: "visible.cpp",
  hidden: "hidden.cpp",
  memoryLeaks: "fail",
  // These misbehave on purpose, and must run to be caught.
  allow: ["symbol-use", "header"],
  limits: { cpuSeconds: 1, wallSeconds: 20, memoryMiB: 256, processes: 8 },
};

function sourceOf({ body }: Canary): string {
  return `#include "probe.hpp"
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>
int* volatile lost;
char* volatile kept[4096];
volatile int shifted;
int probe(int n) { ${body} return n; }
`;
}

/** Compilers, and for the usual one every canary through the real pipeline. */
export async function toolchainChecks(signal: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  const opened = await checked(
    "sandbox",
    () =>
      withMachine({ signal }, async (machine) => {
        const cache = openCache();
        checks.push(
          await compiler("g++", machine, cache, true),
          await compiler("clang++", machine, cache, false),
        );
        checks.push(...(await canaryChecks(machine, cache, signal)));
        return "opens and closes";
      }),
    true,
  );
  return [opened, ...checks];
}

async function compiler(name: string, machine: Machine, cache: Cache, isVital: boolean): Promise<Check> {
  if (!isVital && findProgram(name, machine.path) === undefined)
    return { name, status: "ok", detail: "not installed; only tasks that name it need it" };
  return checked(name, async () => (await probeToolchain(name, machine, cache)).version, isVital);
}

async function canaryChecks(machine: Machine, cache: Cache, signal: AbortSignal): Promise<Check[]> {
  const folder = machine.newFolder("doctor");
  const files = {
    "manifest.json": JSON.stringify(manifest),
    "probe.hpp": header,
    "probe.cpp": sourceOf(healthy),
  };
  for (const [path, text] of Object.entries({ ...files, "visible.cpp": test, "hidden.cpp": test })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const task = await loadTask(folder);
  const context = async () => openContext(task, machine, { signal, many: true, cache: false }, cache);
  const run = async (canary: Canary) => {
    const sources = new Map([...task.sources, ["probe.cpp", sourceOf(canary)]]);
    return grade(await context(), { kind: "sources", files: sources });
  };
  const first = await checked(healthy.name, async () => judged(healthy, await run(healthy)), true);
  if (first.status === "fail") return [first];
  const others = canaries.map((canary) =>
    checked(canary.name, async () => judged(canary, await run(canary))),
  );
  return [first, ...(await Promise.all(others))];
}

/** What was asked for must have happened, in both layers. @throws GraderError with the mend where it did not. */
function judged({ causes, why }: Canary, record: GradeRecord): string {
  const layers = [record.layers.visible, record.layers.hidden];
  const passes = layers.every((layer) => layer?.status === "pass");
  if (causes.length === 0 && passes) return `${why} passes`;
  const found = layers.map((layer) => (layer?.status === "fail" ? layer : undefined));
  const [first] = found;
  if (first && found.every((layer) => layer && causes.includes(layer.cause)))
    return `${why} is stopped (${first.cause})`;
  const other = layers.find((layer) => layer?.status !== "fail" || !causes.includes(layer.cause));
  const what =
    other === undefined || other.status === "pass"
      ? "passed"
      : `came out as ${other.cause} (${other.detail})`;
  const mend = "install the compiler's sanitizer libraries, or use another machine";
  throw new GraderError(69, `${why} ${what}`, {
    hint: causes.length === 0 ? mend : `verdicts of this machine can't be trusted: ${mend}`,
  });
}
