/** Findings lead to a line of the candidate, wherever its code was compiled. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gradeWithRecord } from "../support/graded.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("findings");

/** A class that is all header, so that its code is compiled in the tests' units alone. */
function writeTask(): string {
  const task = join(folder, "ring");
  for (const name of ["include", "tests", "oracles"]) mkdirSync(join(task, name), { recursive: true });
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(task, name), `${lines.join("\n")}\n`);
  write("include/ring.hpp", [
    "#pragma once",
    "#include <cstddef>",
    "class Ring {",
    "public:",
    "  explicit Ring(std::size_t n) : n_(n), data_(new int[n]) {}",
    "  ~Ring() { delete[] data_; }",
    "  Ring(const Ring&) = delete;",
    "  int& at(std::size_t i) { return data_[i & (n_ - 1)]; }",
    "private:",
    "  std::size_t n_;",
    "  int* data_;",
    "};",
  ]);
  const uses = (slots: number) => [
    '#include "ring.hpp"',
    "#include <cassert>",
    "int main() {",
    `  Ring ring(${slots});`,
    `  for (int i = 0; i < ${2 * slots}; ++i) ring.at(static_cast<std::size_t>(i)) = i;`,
    `  assert(ring.at(${slots - 1}) == ${2 * slots - 1});`,
    "}",
  ];
  write("tests/visible.cpp", uses(8));
  write("oracles/hidden.cpp", uses(10));
  const manifest = { id: "ring", sources: ["include/ring.hpp"], visible: "tests/visible.cpp" };
  const cxxflags = ["-std=c++17", "-fsanitize=address"];
  write("manifest.json", [JSON.stringify({ ...manifest, hidden: "oracles/hidden.cpp", cxxflags })]);
  return task;
}

const task = writeTask();

/** The wrong slot, and other lines behind the first one of the header. */
function writePatch(name: string, more: readonly string[]): string {
  const patch = join(folder, name);
  const header = ["--- a/include/ring.hpp", "+++ b/include/ring.hpp"];
  const lines = [
    "@@ -1,2 +1 @@",
    " #pragma once",
    ...more.map((line) => `+${line}`),
    " #include <cstddef>",
    "@@ -8 +8 @@",
    "-  int& at(std::size_t i) { return data_[i & (n_ - 1)]; }",
    "+  int& at(std::size_t i) { return data_[n_ == 8 ? i % n_ : i % 16]; }",
  ];
  writeFileSync(patch, `${[...header, ...lines].join("\n")}\n`);
  return patch;
}

function testObjects(): number {
  const cache = readdirSync(folder).includes("cache") ? readdirSync(join(folder, "cache")) : [];
  const names = cache.flatMap((version) => readdirSync(join(folder, "cache", version, "test")));
  return names.filter((name) => !name.endsWith(".json")).length;
}

test("an overflow in a header names kind, file and line", async () => {
  const { record } = await gradeWithRecord({ folder, task, patch: writePatch("sixteen.diff", []) });
  expect(record.verdict).toBe("OVERFIT");
  // The test itself writes past the end; of the candidate's lines the report names the one that allocates.
  expect(record.layers.hidden).toMatchObject({
    cause: "asan",
    findings: [{ kind: "heap-buffer-overflow", file: "include/ring.hpp", line: 5 }],
  });
});

test("headers that differ in a macro that nobody names share objects, and findings keep their lines", async () => {
  const before = testObjects();
  for (const bits of [4, 5]) {
    const patch = writePatch(`bits-${bits}.diff`, [`#define RING_BITS ${bits}`]);
    const { record } = await gradeWithRecord({ folder, task, patch });
    expect(record.layers.hidden).toMatchObject({ findings: [{ file: "include/ring.hpp", line: 6 }] });
  }
  expect(testObjects() - before).toBe(2);
});

test("a macro that the header names is compiled with it", async () => {
  const before = testObjects();
  for (const type of ["int", "long"]) {
    const patch = writePatch(`${type}.diff`, [`#define RING_INT ${type}`, "using Index = RING_INT;"]);
    await gradeWithRecord({ folder, task, patch });
  }
  expect(testObjects() - before).toBe(4);
});
