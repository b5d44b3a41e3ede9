/** Distinct patches for the bounded queue: right and wrong in many ways, no two with the same sources. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";

/** The two sources of the shipped task. */
interface Sources {
  readonly header: string;
  readonly unit: string;
}

const headerPath = "include/bounded_queue.hpp";
const unitPath = "src/bounded_queue.cpp";

/** Makes patches against the sources of one task folder. */
export interface VariantMaker {
  /** Patch number `n` of those that change the source alone. */
  source(n: number): string;
  /** Patch number `n` of those that change the header too. */
  header(n: number): string;
}

type Edit = (sources: Sources, n: number) => Sources;

/** Replaces a text that must be there: a task that has changed must not go unnoticed. */
function swap(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the task's source has no ${JSON.stringify(from)}`);
  return text.replaceAll(from, to);
}

function inUnit(from: string, to: (n: number) => string): Edit {
  return (sources, n) => ({ ...sources, unit: swap(sources.unit, from, to(n)) });
}

const oldSlot = "std::uint32_t slot(std::uint32_t index, std::uint32_t cap) { return index & (cap - 1); }";
const oldDrain = "if (--count_ == 0) head_ = 0; // drained: start over at the front";
const modulo = inUnit(
  oldSlot,
  () => "std::size_t slot(std::size_t index, std::size_t cap) { return index % cap; }",
);
const neverRewind = inUnit(oldDrain, () => "--count_;");

/** The real fix, then a change of its own. */
function fixed(...more: Edit[]): Edit {
  return (sources, n) => [modulo, neverRewind, ...more].reduce((text, edit) => edit(text, n), sources);
}

const newSlot = "return index % cap; }";

/** Ways to be right or wrong; `n` makes each use of a way another text. */
const ways: readonly Edit[] = [
  fixed(inUnit("#include", (n) => `// attempt ${n}\n#include`)),
  fixed(inUnit("value", (n) => `value_${n}`)),
  fixed(inUnit(newSlot, (n) => `return (index + ${n}) % cap; }`)),
  fixed(inUnit("slot(", (n) => `slot_${n}(`)),
  fixed(inUnit(newSlot, (n) => `return cap == 0 ? ${n} : index - index / cap * cap; }`)),
  fixed(inUnit("++count_;", (n) => `count_ += ${n} - ${n - 1};`)),
  // Wrong from here on: the mask kept, the rewind kept, a slot too many, a 16-bit index.
  (sources, n) => neverRewind(inUnit(oldSlot, () => `${oldSlot} // masks are faster: ${n}`)(sources, n), n),
  (sources, n) => modulo(inUnit(oldDrain, () => `if (--count_ == 0) head_ = 0 * ${n};`)(sources, n), n),
  fixed(
    inUnit("count_ == cap_", (n) => `count_ == cap_ + ${1 + (n % 3)}`),
    inUnit("value", (n) => `v${n}`),
  ),
  fixed(inUnit(newSlot, (n) => `return (static_cast<std::uint16_t>(index) + ${n}) % cap; }`)),
];

/** Something small that a patch may well do to a header. */
const headerWays: readonly Edit[] = [
  inHeader("std::size_t size() const;", (n) => `std::size_t size() const; // asked often: ${n}`),
  inHeader("private:", (n) => `    std::size_t room_${n}() const { return cap_ - count_; }\n\nprivate:`),
  inHeader("#include <optional>", (n) => `#include <optional>\n\n#define BOUNDED_QUEUE_EDITION ${n}`),
];

function inHeader(from: string, to: (n: number) => string): Edit {
  return (sources, n) => ({ ...sources, header: swap(sources.header, from, to(n)) });
}

/** Patches against the task in `folder`. */
export function variantsOf(folder: string): VariantMaker {
  const old: Sources = {
    header: readFileSync(join(folder, headerPath), "utf8"),
    unit: readFileSync(join(folder, unitPath), "utf8"),
  };
  const way = (list: readonly Edit[], n: number): Edit => {
    const edit = list[n % list.length];
    if (edit === undefined) throw new Error("no way to make a patch");
    return edit;
  };
  const source = (n: number) => way(ways, n)(old, n);
  return {
    source: (n) => diffOf(unitPath, old.unit, source(n).unit),
    header: (n) => {
      const made = way(headerWays, n)(source(n), n);
      return diffOf(headerPath, old.header, made.header) + diffOf(unitPath, old.unit, made.unit);
    },
  };
}

function diffOf(path: string, from: string, to: string): string {
  const text = createTwoFilesPatch(`a/${path}`, `b/${path}`, from, to, "", "");
  return text.slice(text.indexOf("---"));
}
