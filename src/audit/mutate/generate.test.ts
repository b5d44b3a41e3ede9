/** The whole generator on small sources: what holds for every mutant, order, limit, identity. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { generateMutants } from "./generate.ts";
import { applyMutant, type Mutant } from "./mutant.ts";

const ring = `#include <cstddef>
class Ring {
public:
    explicit Ring(std::size_t cap) : cap_(cap), buf_(new int[cap]) {}
    ~Ring() { delete[] buf_; }
    bool push(int value);
    std::size_t size() const { return tail_ - head_; }
private:
    std::size_t cap_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    int* buf_;
};

bool Ring::push(int value) {
    if (size() == cap_) return false;
    buf_[tail_ % cap_] = value;
    ++tail_;
    return true;
}

int pop(Ring& ring) {
    // comes last
    return ring.size() > 0 ? 1 : 0;
}
`;
const files = new Map([
  ["ring.cpp", ring],
  ["other.txt", "int untouched() { return 4; }"],
]);
const visible = ["int main() { Ring ring(8); ring.push(70); }"];
let mutants: Mutant[] = [];

beforeAll(async () => {
  mutants = await generateMutants({ files, visible });
});

test("every family but the probes is there", () => {
  expect([...new Set(mutants.map((each) => each.family))].sort()).toEqual([
    "field",
    "habit",
    "joint",
    "narrowing",
  ]);
});

test("edits are sorted, apart, inside the file and inside their body, and change the text", () => {
  for (const mutant of mutants) {
    const text = files.get(mutant.file) ?? "";
    let from = 0;
    for (const edit of mutant.edits) {
      expect(edit.start).toBeGreaterThanOrEqual(from);
      expect(edit.end).toBeGreaterThanOrEqual(edit.start);
      from = edit.end;
      if (mutant.body === null) continue;
      expect(text.slice(mutant.body.start, mutant.body.start + 1)).toBe("{");
      expect(edit.start).toBeGreaterThan(mutant.body.start);
      expect(edit.end).toBeLessThan(mutant.body.end);
    }
    expect(from).toBeLessThanOrEqual(text.length);
    expect(applyMutant(files, mutant).get(mutant.file)).not.toBe(text);
  }
});

test("identities and resulting texts are distinct", () => {
  expect(new Set(mutants.map((each) => each.id)).size).toBe(mutants.length);
  const results = mutants.map((each) => `${each.file}\n${applyMutant(files, each).get(each.file)}`);
  expect(new Set(results).size).toBe(mutants.length);
  expect(mutants.every((each) => each.id.length === 12)).toBe(true);
});

test("a mutant keeps its identity when lines come and go elsewhere in the file", async () => {
  const longer = ring
    .replace("class Ring {", "// a comment\n\nstatic const char* const version = __DATE__;\nclass Ring {")
    .replace("int pop(", "void unrelated() {}\n\nint pop(");
  const later = new Set(
    (await generateMutants({ files: new Map([["ring.cpp", longer]]), visible })).map((each) => each.id),
  );
  const gone = mutants.filter((each) => each.file === "ring.cpp" && !later.has(each.id));
  expect(gone).toEqual([]);
});

test("the well-known mistakes of a ring are among them", () => {
  const operators = new Set(mutants.map((each) => each.operator));
  for (const name of [
    "mask-for-modulo",
    "wrap-once",
    "guard-removal",
    "special-case",
    "narrow-member",
    "narrow-member-pair",
    "constant-pair",
  ])
    expect(operators).toContain(name);
  const pair = mutants.find((each) => each.operator === "constant-pair" && each.replacement.includes("1"));
  expect(pair?.meaning).toContain("`head_` and `tail_` alike");
});

test("lines of the patch come first, then their function, then whoever uses the same members", async () => {
  const focus = new Map([["ring.cpp", [[18, 18]] as const]]);
  const ranked = await generateMutants({ files, visible, focus });
  const first = ranked.findIndex((each) => each.line !== 18);
  expect(ranked[0]?.line).toBe(18);
  expect(ranked.slice(first).every((each) => each.line !== 18)).toBe(true);
  const lastOf = (name: string) => ranked.findLastIndex((each) => each.body?.name === name);
  const firstOf = (name: string) => ranked.findIndex((each) => each.body?.name === name);
  expect(lastOf("Ring::push")).toBeLessThan(firstOf("Ring::size"));
  expect(lastOf("Ring::size")).toBeLessThan(firstOf("pop"));
});

test("a limit keeps every family", async () => {
  const few = await generateMutants({ files, visible, limit: 20 });
  expect(few.length).toBe(20);
  expect(new Set(few.map((each) => each.family)).size).toBe(4);
});

test("files without functions, and texts that are no C++, give no mutants and no fault", async () => {
  const odd = new Map([
    ["a.hpp", "#pragma once\n"],
    ["b.cpp", "%% { } ]] class ( \xff\x00"],
    ["c.cpp", ""],
  ]);
  expect(await generateMutants({ files: odd, visible: ["}}} ((("] })).toEqual([]);
});

test("any slice of a source is survived, and edits stay inside it", async () => {
  const bounds = fc.tuple(fc.nat(ring.length), fc.nat(ring.length));
  const property = fc.asyncProperty(bounds, async ([one, other]) => {
    const text = ring.slice(Math.min(one, other), Math.max(one, other));
    const found = await generateMutants({ files: new Map([["slice.cpp", text]]), visible });
    return found.every((each) => each.edits.every((edit) => edit.start >= 0 && edit.end <= text.length));
  });
  await fc.assert(property, { numRuns: 25, seed: 4 });
});
