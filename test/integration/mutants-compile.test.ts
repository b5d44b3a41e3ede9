/** Nearly all mutants are valid C++: a sample of three sources' mutants, each in a namespace of its own, one compile a source. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBodies } from "../../src/audit/mutate/bodies.ts";
import { generateMutants } from "../../src/audit/mutate/generate.ts";
import { horizonProbes } from "../../src/audit/mutate/horizon.ts";
import { applyMutant, type Mutant } from "../../src/audit/mutate/mutant.ts";
import { recordedTree } from "../../src/grade/recorded.ts";
import { loadTask } from "../../src/task/load.ts";
import { inRepository } from "../support/repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("mutants");
const visible = [readFileSync(inRepository("examples/bounded-queue/tests/visible.cpp"), "latin1")];

type Files = ReadonlyMap<string, string>;

/** Everything but the directives that must stand outside of a namespace, which are collected. */
function withoutIncludes(text: string, includes: Set<string>): string {
  const lines = text.split("\n").map((line) => {
    if (!line.startsWith("#include") && !line.startsWith("#pragma")) return line;
    if (line.includes("<")) includes.add(line);
    return "";
  });
  return lines.join("\n");
}

/** The identities of the mutants that the compiler refuses. */
function refused(files: Files, mutants: readonly Mutant[], name: string): string[] {
  const includes = new Set<string>();
  const spaces = mutants.map((mutant) => {
    const text = [...applyMutant(files, mutant).values()].join("\n");
    return `#line 1 "mutant-${mutant.id}"\nnamespace m${mutant.id} {\n${withoutIncludes(text, includes)}\n}\n`;
  });
  const file = join(folder, `${name}.cpp`);
  writeFileSync(file, `${[...includes].join("\n")}\n${spaces.join("")}`, "latin1");
  const argv = ["-std=c++17", "-fsyntax-only", "-w", file];
  const { stderr, status } = spawnSync("g++", argv, { encoding: "latin1", maxBuffer: 2 ** 28 });
  const found = mutants
    .filter(({ id }) => stderr.includes(`mutant-${id}:`))
    .map((each) => `${each.id} ${each.operator}`);
  if (status !== 0 && found.length === 0)
    throw new Error(`the compiler refuses all: ${stderr.slice(0, 2000)}`);
  return found;
}

async function probesOf(files: Files): Promise<Mutant[]> {
  const probes = await horizonProbes(files, await findBodies(files));
  return probes.flatMap((probe) => [probe.at(3), probe.at(20)]).filter((each) => each !== null);
}

function fixture(name: string): Files {
  return new Map([[name, readFileSync(inRepository(`test/fixtures/mutate/${name}`), "latin1")]]);
}

async function referenceOf(name: string): Promise<Files> {
  const task = await loadTask(inRepository(`examples/${name}/manifest.json`));
  const { reference } = task;
  if (reference === undefined) throw new Error("the example has no reference");
  return recordedTree(task, reference);
}

test("the shipped queue has 350 to 700 mutants, and they compile", async () => {
  const files = await referenceOf("bounded-queue");
  const mutants = await generateMutants({ files, visible });
  expect(mutants.length).toBeGreaterThan(350);
  expect(mutants.length).toBeLessThan(700);
  expect(refused(files, [...mutants, ...(await probesOf(files))], "queue")).toEqual([]);
});

test("a mutant that does not compile would be seen", async () => {
  const files = fixture("numeric.cpp");
  const [mutant, sound] = (await generateMutants({ files, visible })).filter((each) => each.body !== null);
  if (mutant?.body === undefined || mutant.body === null || sound === undefined)
    throw new Error("no mutants");
  const at = mutant.body.start + 1;
  const broken = { ...mutant, edits: [{ start: at, end: at, text: " nothing::known();" }] };
  expect(refused(files, [broken, sound], "broken")).toEqual([`${broken.id} ${broken.operator}`]);
});

test.each(["text.cpp", "numeric.cpp"])(
  "of every third mutant of %s at least 99 in a hundred compile",
  async (name) => {
    const files = fixture(name);
    const mutants = (await generateMutants({ files, visible })).filter((_, index) => index % 3 === 0);
    const probes = await probesOf(files);
    expect(probes.length).toBeGreaterThan(5);
    expect(refused(files, probes, `probes-${name}`)).toEqual([]);
    expect(refused(files, mutants, name).length).toBeLessThanOrEqual(mutants.length / 100);
  },
);

test.each(["csv-fields", "interval-map"])(
  "of every twelfth mutant of %s at least 99 in a hundred compile",
  async (name) => {
    const files = await referenceOf(name);
    const mutants = (await generateMutants({ files, visible })).filter((_, index) => index % 12 === 0);
    expect(refused(files, mutants, name).length).toBeLessThanOrEqual(Math.ceil(mutants.length / 100));
  },
);
