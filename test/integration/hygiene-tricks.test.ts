/** Tricks on the queue are found, by all stages and with a real compiler. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GradeContext } from "../../src/grade/context.ts";
import { type Edit, HygieneBench, inspect, kindsOf } from "../support/hygiene.ts";
import { ctor, H, queue, S } from "../support/hygiene-queue.ts";

let bench: HygieneBench;
beforeAll(() => {
  bench = new HygieneBench();
});
afterAll(() => bench.close());

const tricks: Record<string, { edits: readonly Edit[]; kind: string }> = {
  "returns what agrees with everything": {
    kind: "signature",
    edits: [
      [
        H,
        "class BoundedQueue {",
        "struct Yes { template <class T> friend bool operator==(Yes, const T&) { return true; } };\nclass BoundedQueue {",
      ],
      [H, "std::size_t size() const;", "Yes size() const { return {}; }"],
      [S, "std::size_t BoundedQueue::size() const { return count_; }\n", ""],
    ],
  },
  "adds an overload that plain ints prefer": {
    kind: "signature",
    edits: [
      [
        H,
        "class BoundedQueue {",
        "struct Yes { operator bool() const { return true; } };\nclass BoundedQueue {",
      ],
      [H, "std::size_t size() const;", "std::size_t size() const;\n  Yes size() { return {}; }"],
    ],
  },
  "compares optionals in its own way": {
    kind: "operator",
    edits: [
      [H, "", "inline bool operator==(const std::optional<std::int32_t>&, const int&) { return true; }"],
    ],
  },
  "compares them by way of a macro": {
    kind: "operator",
    edits: [
      [
        H,
        "",
        "#define OPT std::optional<std::int32_t>\ninline bool operator==(const OPT&, const int&) { return true; }",
      ],
    ],
  },
  "hides a comparison behind a brace that is never read": {
    kind: "operator",
    edits: [
      [
        H,
        "",
        "#ifdef NEVER\nvoid f() {\n#endif\ninline bool operator==(const std::optional<std::int32_t>&, const int&) { return true; }\n#ifdef NEVER\n}\n#endif",
      ],
    ],
  },
  "shows another type to a test that includes more": {
    kind: "signature",
    edits: [
      [
        H,
        "class BoundedQueue {",
        "struct Yes { template <class T> friend bool operator==(Yes, const T&) { return true; } };\nclass BoundedQueue {",
      ],
      [
        H,
        "std::size_t size() const;",
        "#ifdef DBL_DIG\n  Yes size() const { return {}; }\n#else\n  std::size_t size() const;\n#endif",
      ],
    ],
  },
  "opens std by way of a macro": {
    kind: "std",
    edits: [
      [
        H,
        "",
        "#define N std\nnamespace N { inline bool operator==(const optional<int>&, const int&) { return true; } }",
      ],
    ],
  },
  "pastes a forbidden word together": {
    kind: "asm",
    edits: [[S, "", '#define GLUE(a, b) a##b\nGLUE(as, m)(".globl nothing");']],
  },
  "pastes an attribute together": {
    kind: "attribute",
    edits: [
      [
        S,
        "bool BoundedQueue::push",
        '#define GLUE(a, b) a##b\n__attribute__((GLUE(no_san, itize)("address"))) bool BoundedQueue::push',
      ],
    ],
  },
  "writes to the number that a constructor is given": {
    kind: "cast",
    edits: [
      [H, "explicit BoundedQueue(std::size_t cap);", "explicit BoundedQueue(const std::size_t& cap);"],
      [S, "BoundedQueue(std::size_t cap)", "BoundedQueue(const std::size_t& cap)"],
      [S, ctor, "buf_(new std::int32_t[cap]) { if (cap == 3) const_cast<std::size_t&>(cap) = cap_ = 0; }"],
    ],
  },
  "deduces that it was given a variable": {
    kind: "signature",
    edits: [
      [
        H,
        "explicit BoundedQueue(std::size_t cap);",
        "template <class C> explicit BoundedQueue(C&& cap) : cap_(cap), buf_(new std::int32_t[cap_]) {}",
      ],
      [S, `BoundedQueue::BoundedQueue(std::size_t cap) : cap_(cap), ${ctor}\n`, ""],
    ],
  },
  "compares what it can change": {
    kind: "operator",
    edits: [
      [H, "", "struct Item { int v; bool operator==(const Item& o) const { return v == o.v; } };"],
      [H, "class BoundedQueue {", "struct Item;\nbool operator==(Item&, const Item&);\nclass BoundedQueue {"],
    ],
  },
  "hides where a namespace ends from who reads the text": {
    kind: "overload",
    edits: [
      [
        H,
        "",
        "namespace detail {\n#define CLOSE }\nCLOSE inline void twice(int&) {}\n#define OPEN namespace detail {\nOPEN\n}",
      ],
    ],
  },
  "hides a pragma in a macro": {
    kind: "pragma",
    edits: [[S, "", '#define DO(x) _Pragma(#x)\nDO(GCC optimize("O0"))\nint nothing;']],
  },
  "splits a word over lines": { kind: "asm", edits: [[S, "", 'as\\\nm(".globl nothing");']] },
  "defines what a test uses": {
    kind: "macro",
    edits: [[H, "", "#define assert_all(x)\n#undef assert\n#define assert(x) ((void)0)"]],
  },
  "leaves a macro of a test's word behind": { kind: "macro", edits: [[H, "", "#define q queue_of_mine"]] },
  "replaces a macro of the library": {
    kind: "macro",
    edits: [[H, "", "#undef INT32_MAX\n#define INT32_MAX 7"]],
  },
  "ends the program in its source": {
    kind: "symbol-use",
    edits: [
      [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <cstdlib>'],
      [S, "if (count_ == cap_) return false;", "if (cap_ == 3) std::quick_exit(0);"],
    ],
  },
  "ends the program in its header": {
    kind: "symbol-use",
    edits: [
      [H, "#include <optional>", "#include <cstdlib>\n#include <optional>"],
      [
        H,
        "std::size_t size() const;",
        "std::size_t size() const { if (cap_ == 3) std::_Exit(0); return count_; }",
      ],
      [S, "std::size_t BoundedQueue::size() const { return count_; }\n", ""],
    ],
  },
  "reads a file": {
    kind: "symbol-use",
    edits: [
      [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <cstdio>'],
      [
        S,
        ctor,
        'buf_(new std::int32_t[cap]) { if (auto* f = std::fopen("/proc/self/maps", "r")) std::fclose(f); }',
      ],
    ],
  },
  "asks for a handler": {
    kind: "symbol-use",
    edits: [
      [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <exception>'],
      [S, ctor, "buf_(new std::int32_t[cap]) { std::set_terminate([] { for (;;) {} }); }"],
    ],
  },
  "defines a function of the C library": {
    kind: "symbol-define",
    edits: [[S, "", 'extern "C" int memcmp(const void*, const void*, std::size_t) { return 0; }']],
  },
  "defines a function of the language's runtime": {
    kind: "symbol-define",
    edits: [[S, "", 'extern "C" void __cxa_pure_virtual() {}']],
  },
  "defines a function of the C++ library": {
    kind: "symbol-define",
    edits: [
      [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <exception>'],
      [S, "", "void std::terminate() noexcept { for (;;) {} }"],
    ],
  },
  "replaces the allocator": {
    kind: "symbol-define",
    edits: [
      [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <cstdlib>\n#include <new>'],
      [S, "", "void* operator new[](std::size_t n) { return std::malloc(2 * n + 64); }"],
    ],
  },
  "includes what lies outside": { kind: "include", edits: [[S, "", '#include "../oracles/hidden.cpp"']] },
  "asks where its caller is": {
    kind: "caller",
    edits: [
      [
        H,
        "bool push(std::int32_t v);",
        "bool push(std::int32_t v);\n  bool push_at(std::int32_t v, int line = __builtin_LINE());",
      ],
    ],
  },
};

describe("the queue", () => {
  let context: GradeContext;
  beforeAll(async () => {
    context = await bench.open("queue", queue);
  });

  test.each(Object.entries(tricks))("a trick: %s", async (_, { edits, kind }) => {
    const { findings } = await inspect(context, edits);
    expect(kindsOf(findings)).toContain(kind);
    for (const { file, line } of findings.filter((f) => f.kind === kind)) {
      expect([H, S]).toContain(file);
      expect(line).toBeGreaterThan(0);
    }
  });

  test("a finding that the manifest allows is none", async () => {
    const { kind, edits } = tricks["reads a file"] ?? { kind: "", edits: [] };
    const allow = [`${kind}:fopen`];
    const manifest = { ...context.task.manifest, allow };
    const { findings } = await inspect({ ...context, task: { ...context.task, manifest } }, edits);
    expect(findings).toEqual([]);
  });
});
