import { describe, expect, test } from "vitest";
import { GraderError } from "./errors.ts";
import { parseManifest } from "./manifest.ts";
import { manifestJsonSchema } from "./manifest-schema.ts";

const article = `{ "id": "bounded-queue-v3", "prompt": "prompts/fix_queue.md",
  "sources": ["include/bounded_queue.hpp", "src/bounded_queue.cpp"],
  "visible": "tests/visible.cpp", "hidden": "oracles/hidden.cpp",
  "cxxflags": ["-std=c++17", "-fsanitize=address,undefined", "-fno-omit-frame-pointer"] }
`;

const least = { id: "t", sources: ["src/a.cpp"], visible: "tests/v.cpp", hidden: "oracles/h.cpp" };
const parse = (more: object) =>
  parseManifest(JSON.stringify({ ...least, ...more }, null, 1), "manifest.json");

function fault(text: string | object): string {
  const json = typeof text === "string" ? text : JSON.stringify({ ...least, ...text }, null, 1);
  try {
    parseManifest(json, "manifest.json");
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    const { exit, location, message, hint } = error;
    return `${exit} ${location?.file}:${location?.line}:${location?.column}: ${message}${hint === undefined ? "" : `\nhint: ${hint}`}`;
  }
  return "no fault";
}

describe("a manifest that is right", () => {
  test("the article's own file is valid as it stands", () => {
    const manifest = parseManifest(article, "manifest.json");
    expect(manifest.visible).toHaveLength(1);
    expect(manifest.visible[0]).toMatchObject({
      sources: ["tests/visible.cpp"],
      repeat: 1,
      seed: false,
      isolation: "none",
    });
    expect(manifest.hidden[0]?.cxxflags).toEqual([
      "-std=c++17",
      "-fsanitize=address,undefined",
      "-fno-omit-frame-pointer",
    ]);
    expect(manifest).toMatchObject({
      scope: "reject",
      memoryLeaks: "auto",
      proof: "auto",
      locked: false,
      reserve: [],
      build: { kind: "direct" },
    });
  });

  test("every limit has its default", () => {
    expect(parse({}).limits).toEqual({
      cpuSeconds: 10,
      wallSeconds: 60,
      memoryMiB: 1024,
      outputKiB: 65536,
      processes: 32,
      diskMiB: 64,
      compileSeconds: 60,
      compileMemoryMiB: 2560,
    });
  });

  test("a target's limits lie over the manifest's", () => {
    const { hidden } = parse({
      limits: { memoryMiB: 10 },
      hidden: { source: "h.cpp", limits: { cpuSeconds: 90 } },
    });
    expect(hidden[0]?.limits).toMatchObject({ memoryMiB: 10, cpuSeconds: 90, wallSeconds: 180 });
  });

  test("a wall limit that is said is kept, even below the CPU limit", () => {
    expect(parse({ limits: { wallSeconds: 2 } }).limits.wallSeconds).toBe(2);
  });

  test("comments and a byte order mark are allowed", () => {
    expect(parseManifest(`\uFEFF// a task\n${article}`, "m").id).toBe("bounded-queue-v3");
  });

  test("a layer may be a file, a target, or a list of both", () => {
    const { hidden } = parse({
      hidden: ["a.cpp", { sources: ["./b.cpp", "c//d.cpp"], args: ["-x"], seed: 7, sanitize: ["thread"] }],
    });
    expect(hidden.map(({ sources }) => sources)).toEqual([["a.cpp"], ["b.cpp", "c/d.cpp"]]);
    expect(hidden[1]).toMatchObject({ args: ["-x"], seed: 7, sanitize: ["thread"] });
  });

  test("include folders and linker flags among cxxflags are told apart", () => {
    const manifest = parse({
      include: ["include/"],
      cxxflags: ["-Ilib", "-I", "./third", "-isystem", "include", "-pthread", "-lm", "-Wall"],
    });
    expect(manifest.include).toEqual(["include", "lib", "third"]);
    expect(manifest.hidden[0]?.cxxflags).toEqual(["-pthread", "-Wall"]);
    expect(manifest.ldflags).toEqual(["-pthread", "-lm"]);
  });

  test("a target's own -fsanitize replaces the manifest's", () => {
    const { hidden } = parse({
      cxxflags: ["-fsanitize=address", "-O2"],
      hidden: { source: "h.cpp", cxxflags: ["-fsanitize=thread"] },
    });
    expect(hidden[0]?.cxxflags).toEqual(["-O2", "-fsanitize=thread"]);
  });

  test("every optional field is accepted", () => {
    const all = {
      $schema: "../schema/manifest.schema.json",
      prompt: "p.md",
      reserve: [{ command: ["./run"] }],
      compilers: ["g++-12", "/usr/bin/clang++"],
      include: ["include"],
      ldflags: ["-pthread", "-Wl,--as-needed"],
      pkgConfig: ["zlib"],
      build: { kind: "cmake", targets: ["queue"] },
      visible: {
        cases: [{ stdin: "1", stdout: { file: "a.ans" }, exitCode: 0 }],
        framework: "none",
        repeat: 3,
        isolation: "process",
      },
      reference: "patches/good.diff",
      alternatives: ["patches/other.diff"],
      calibration: { "patches/good.diff": "PASS", "patches/bad.diff": "FAIL_BOTH" },
      waivers: [{ mutant: "0f3a9c2d11ab", category: "infeasible", reason: "needs 8 GiB" }],
      hints: { OVERFIT: "think of other sizes" },
      scope: "drop",
      protect: ["CMakeLists.txt"],
      allow: ["macro:assert"],
      memoryLeaks: "fail",
      proof: "exact",
      queryBudget: 20,
      locked: true,
    };
    expect(parse(all)).toMatchObject({
      compilers: ["g++-12", "/usr/bin/clang++"],
      scope: "drop",
      queryBudget: 20,
    });
  });
});

describe("a manifest that is wrong says what, where, and what next", () => {
  test.each<[string, string | object]>([
    ["a key with a typo", { cxxflag: [] }],
    ["a key that is like no other", { xyzzy: 1 }],
    ["a limit outside limits", { cpuSeconds: 3 }],
    ["a typo inside limits", { limits: { cpuSecond: 1 } }],
    ["a typo inside one target of several", { hidden: ["a.cpp", { source: "b.cpp", repeats: 2 }] }],
    ["a wrong type", { sources: "src/a.cpp" }],
    ["a wrong type in a list", { cxxflags: ["-O2", 3] }],
    ["a layer of the wrong type", { hidden: 4 }],
    ["a missing key", '{ "id": "t", "sources": ["a.cpp"], "visible": "v.cpp" }'],
    ["an id with a blank", { id: "my task" }],
    ["no source at all", { sources: [] }],
    ["a limit below zero", { limits: { cpuSeconds: -1 } }],
    [
      "a limit that is not finite",
      '{"id":"t","sources":["a.cpp"],"visible":"v.cpp","hidden":"h.cpp","limits":{"memoryMiB":1e999}}',
    ],
    ["a repeat out of range", { visible: { source: "v.cpp", repeat: 1001 } }],
    ["an unknown token", { calibration: { "p.diff": "OVERFITTED" } }],
    ["an unknown scope", { scope: "ignore" }],
    ["an unknown kind of build", { build: { kind: "make" } }],
    ["an absolute path", { hidden: "/etc/hidden.cpp" }],
    ["a path that leads out", { sources: ["../a.cpp"] }],
    ["a path with a backslash", { prompt: "docs\\p.md" }],
    ["an absolute path as a key", { calibration: { "/p.diff": "PASS" } }],
    ["compiler and compilers", { compiler: "g++", compilers: ["g++"] }],
    ["flags in the compiler's name", { compiler: "g++ -m32" }],
    ["a target of two kinds", { hidden: { source: "h.cpp", command: ["x"] } }],
    ["a source that is also the oracle", { sources: ["**/*.cpp"] }],
    ["a refused flag", { cxxflags: ["-O2", "-fplugin=x.so"] }],
    ["a refused linker flag", { ldflags: ["-Wl,-T,script.ld"] }],
    ["a layer that is not sanitised", { hidden: { source: "h.cpp", sanitize: "none" } }],
    ["sanitizers switched off by a flag", { cxxflags: ["-fno-sanitize=all"] }],
    ["sanitizers that clash", { cxxflags: ["-fsanitize=address,thread"] }],
    [
      "a reference that calibration calls wrong",
      { reference: "r.diff", calibration: { "r.diff": "OVERFIT" } },
    ],
    ["a list in place of the object", "[]"],
    ["several faults at once", { scope: 1, limits: { processes: 0.5 }, cxflags: [] }],
    ["the same key twice", '{\n "id": "a",\n "id": "b"\n}'],
    ["a key that would change the prototype", '{ "__proto__": {} }'],
    ["a trailing comma", '{\n  "id": "t",\n}'],
    ["a missing comma", '{ "id": "t"\n  "sources": [] }'],
    ["text cut short", '{ "id": "t", "sources": ["a'],
    ["text after the end", '{ "id": "t" } }'],
    ["an empty file", ""],
    ["brackets without end", "[".repeat(100_000)],
  ])("%s", (_, text) => {
    expect(fault(text)).toMatchSnapshot();
  });
});

test("every field of the schema is described", () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      const fields =
        key === "properties"
          ? Object.entries(inner as Record<string, { description?: string; const?: string }>)
          : [];
      for (const [name, field] of fields)
        if (field.description === undefined && field.const === undefined) bare.push(`${path}.${name}`);
      visit(inner, `${path}.${key}`);
    }
  };
  visit(manifestJsonSchema(), "");
  expect(bare).toEqual([]);
});
