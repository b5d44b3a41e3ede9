/** Honest refactorings pass with no finding, by all stages and with a real compiler. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GradeContext } from "../../src/grade/context.ts";
import { type Edit, HygieneBench, inspect } from "../support/hygiene.ts";
import { ctor, H, mask, queue, S } from "../support/hygiene-queue.ts";

let bench: HygieneBench;
beforeAll(() => {
  bench = new HygieneBench();
});
afterAll(() => bench.close());

const honestQueue: Record<string, readonly Edit[]> = {
  "takes the remainder": [[S, mask, "tail_++ % cap_"]],
  "frees its buffer": [
    [
      H,
      "bool push",
      "~BoundedQueue() { delete[] buf_; }\n  BoundedQueue(const BoundedQueue&) = delete;\n  bool push",
    ],
  ],
  "keeps a vector": [
    [H, "#include <optional>", "#include <optional>\n#include <vector>"],
    [H, "std::int32_t* buf_", "std::vector<std::int32_t> buf_"],
    [S, ctor, "buf_(cap) {}"],
  ],
  "asserts in its header": [
    [H, "#include <cstddef>", "#include <cassert>\n#include <cstddef>"],
    [H, "std::size_t size() const;", "std::size_t size() const { assert(count_ <= cap_); return count_; }"],
    [S, "std::size_t BoundedQueue::size() const { return count_; }\n", ""],
  ],
  "marks what must not be ignored": [
    [H, "bool push", "[[nodiscard]] bool push"],
    [
      H,
      "std::size_t size() const;",
      "[[nodiscard]] __attribute__((pure)) std::size_t size() const noexcept;",
    ],
    [S, "::size() const {", "::size() const noexcept {"],
  ],
  "has an include guard and constants as macros": [
    [
      H,
      "#pragma once",
      "#ifndef BOUNDED_QUEUE_HPP_\n#define BOUNDED_QUEUE_HPP_\n#define BOUNDED_QUEUE_VERSION 3",
    ],
    [H, "", "#endif"],
  ],
  "throws on a capacity of zero, and logs": [
    [
      S,
      '#include "bounded_queue.hpp"',
      '#include "bounded_queue.hpp"\n#include <iostream>\n#include <stdexcept>',
    ],
    [
      S,
      ctor,
      'buf_(new std::int32_t[cap]) { if (!cap) throw std::invalid_argument("capacity"); std::clog << cap; }',
    ],
  ],
  "is safe for threads": [
    [H, "#include <optional>", "#include <condition_variable>\n#include <mutex>\n#include <optional>"],
    [
      H,
      "std::int32_t* buf_;",
      "std::int32_t* buf_;\n  mutable std::mutex mutex_;\n  std::condition_variable ready_;",
    ],
    [
      S,
      "if (count_ == cap_)",
      "std::lock_guard<std::mutex> lock(mutex_);\n  ready_.notify_one();\n  if (count_ == cap_)",
    ],
  ],
  "compares and prints queues, and hashes them": [
    [H, "#include <optional>", "#include <functional>\n#include <optional>\n#include <ostream>"],
    [
      H,
      "",
      `bool operator==(const BoundedQueue& a, const BoundedQueue& b);
inline std::ostream& operator<<(std::ostream& out, const BoundedQueue& q) { return out << q.size(); }
template <> struct std::hash<BoundedQueue> { std::size_t operator()(const BoundedQueue& q) const { return q.size(); } };
namespace std { template <> struct less<BoundedQueue> { bool operator()(const BoundedQueue& a, const BoundedQueue& b) const { return a.size() < b.size(); } }; }`,
    ],
    [S, "", "bool operator==(const BoundedQueue& a, const BoundedQueue& b) { return a.size() == b.size(); }"],
  ],
  "gives more than was asked": [
    [
      H,
      "std::size_t size() const;",
      "std::size_t size() const;\n  bool empty() const { return count_ == 0; }\n  template <class It> void push_all(It a, It b) { for (; a != b; ++a) push(*a); }\n  void swap(BoundedQueue& o) noexcept;",
    ],
    [S, '#include "bounded_queue.hpp"', '#include "bounded_queue.hpp"\n#include <utility>'],
    [
      S,
      "",
      "void BoundedQueue::swap(BoundedQueue& o) noexcept { std::swap(cap_, o.cap_); std::swap(buf_, o.buf_); }",
    ],
  ],
  "speaks in comments and strings of what it doesn't do": [
    [
      S,
      "",
      '// asm, __attribute__((constructor)), #define main, _exit(0)\nconst char* about() { return "__BASE_FILE__ asm namespace std { }"; }',
    ],
    [
      S,
      ctor,
      'buf_(new std::int32_t[cap]) { /* no_sanitize */ const char* raw = R"x(#pragma weak)x"; (void)raw; }',
    ],
  ],
  "uses a macro for its own checks": [
    [
      S,
      '#include "bounded_queue.hpp"',
      '#include "bounded_queue.hpp"\n#include <cstdlib>\n#define CHECK(c) do { if (!(c)) std::abort(); } while (0)\n#define CAT(a, b) a##b',
    ],
    [
      S,
      "if (count_ == cap_)",
      "CHECK(count_ <= cap_); int CAT(un, used) = 0; (void)unused;\n  if (count_ == cap_)",
    ],
  ],
};

describe("the queue", () => {
  let context: GradeContext;
  beforeAll(async () => {
    context = await bench.open("queue", queue);
  });

  test.each(Object.entries(honestQueue))("honest: %s", async (_, edits) => {
    expect(await inspect(context, edits)).toEqual({ built: true, findings: [] });
  });
});
