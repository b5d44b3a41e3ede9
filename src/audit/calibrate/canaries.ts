/** Small wrong programs, built with a target's own flags: each must turn red, or its sanitizer sees nothing. */
import { digestOf } from "../../grade/cache.ts";
import type { GradeContext } from "../../grade/context.ts";
import { judgeLayer } from "../../grade/layer.ts";
import { lenientPolicy } from "../../grade/layer-policy.ts";
import { layTree, prepareLayers } from "../../grade/prepare.ts";
import type { FailCause, LayerOutcome } from "../../model/outcome.ts";
import type { Target, Task } from "../../model/task.ts";
import { inlineTestIncludes } from "../../model/test-unit.ts";
import type { CalibrationFinding } from "./calibration.ts";

/** One wrong thing to do, and what must become of it. */
interface Canary {
  readonly what: string;
  /** Sanitizers of which any must see it; none: it is the harness's own to see. */
  readonly by: readonly string[];
  readonly cause: FailCause;
  readonly body: string;
}

const canaries: readonly Canary[] = [
  {
    what: "a write past the end of a block",
    by: ["address"],
    cause: "asan",
    body: "kept = new char[n]; kept[n] = 1; delete[] kept;",
  },
  { what: "an undefined shift", by: ["undefined", "shift"], cause: "ubsan", body: "number = 1 << (n + 40);" },
  {
    what: "a memory leak",
    by: ["address", "leak"],
    cause: "leak",
    body: "kept = new char[n]; kept = nullptr;",
  },
  {
    what: "a data race",
    by: ["thread"],
    cause: "tsan",
    body: "std::thread one([n] { shared = n; }), other([n] { shared = n + 1; }); one.join(); other.join();",
  },
  { what: "a false assertion", by: [], cause: "assertion", body: "n = 4;" },
];

const unitOf = ({ body }: Canary) =>
  `#include "canary.hpp"\n#include <thread>\nchar* volatile kept;\nint volatile number;\nint shared;\nint canary(int n) { ${body} return n; }\n`;
const header = "int canary(int n);\n";
const test = '#include "canary.hpp"\n#include <cassert>\nint main() { assert(canary(3) == 3); }\n';

/** Runs every canary of each target; targets with the same flags share theirs. */
export async function runCanaries(context: GradeContext): Promise<CalibrationFinding[]> {
  const targets = Object.values(context.task.layers).flat();
  const distinct = new Map(targets.map((target) => [target.cxxflags.join("\0"), target]));
  const asked = [...distinct.values()].flatMap((target) =>
    canaries
      .filter(({ by }) => by.length === 0 || by.some((name) => target.sanitizers.includes(name)))
      .map((canary) => ({ target, canary })),
  );
  const found = await Promise.all(asked.map(({ target, canary }) => runCanary(context, target, canary)));
  return found.flatMap((finding) => finding ?? []);
}

async function runCanary(
  context: GradeContext,
  target: Target,
  canary: Canary,
): Promise<CalibrationFinding | null> {
  const task = canaryTask(context.task, target, canary);
  const own = { ...context, task };
  const { layers } = await prepareLayers(own, ["visible"], layTree(own, task.sources), undefined);
  const layer = layers.get("visible");
  const policy = { ...lenientPolicy, leaksFail: () => Promise.resolve(true) };
  const outcome =
    layer?.status === "ready" ? await judgeLayer(context.machine, layer.targets, policy) : layer?.outcome;
  if (outcome?.status === "fail" && outcome.cause === canary.cause) return null;
  const kind = canary.by.length === 0 ? "assertions-off" : "silent-sanitizer";
  return {
    kind,
    about: target.name,
    message: `${canary.what} is not seen under the flags of ${target.name}: it ${describe(outcome)}`,
    hint: "look for -fno-sanitize, -D or linker flags that switch it off in the manifest",
  };
}

function describe(outcome: LayerOutcome | undefined): string {
  if (outcome === undefined || outcome.status === "pass") return "passes";
  return `comes out as ${outcome.cause} (${outcome.detail})`;
}

/** A task of its own for one canary: the target's flags and limits, none of its texts. */
function canaryTask(task: Task, target: Target, canary: Canary): Task {
  const { stdin: _stdin, ...rest } = target;
  const path = "canary-test.cpp";
  const unit = inlineTestIncludes(path, test, {
    includeDirs: ["."],
    isShared: () => true,
    readFile: (file) => (file === "canary.hpp" ? header : undefined),
  });
  const source = { path, text: test, unit: unit.text, files: unit.files };
  const own: Target = {
    ...rest,
    layer: "visible",
    sources: [source],
    args: [],
    repeat: 1,
    seed: false,
    isolation: "none",
  };
  return {
    ...task,
    digest: digestOf("canary", task.digest, target.name, canary.what),
    sources: new Map([
      ["canary.hpp", header],
      ["canary.cpp", unitOf(canary)],
    ]),
    headers: new Map(),
    includeDirs: ["."],
    units: ["canary.cpp"],
    layers: { visible: [own], hidden: [], reserve: [] },
  };
}
