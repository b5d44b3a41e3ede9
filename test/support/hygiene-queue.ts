/** The bounded queue of the hygiene tests. */
import type { Files } from "./hygiene.ts";

export const H = "include/bounded_queue.hpp";
export const S = "src/bounded_queue.cpp";
export const queue: Files = {
  "manifest.json": JSON.stringify({
    id: "queue",
    prompt: "prompt.md",
    sources: [H, S],
    visible: "tests/visible.cpp",
    hidden: "oracles/hidden.cpp",
    cxxflags: ["-std=c++17", "-O0", "-fsanitize=address,undefined"],
  }),
  "prompt.md": "Mend the queue.\n",
  [H]: `#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

class BoundedQueue {
public:
  explicit BoundedQueue(std::size_t cap);
  bool push(std::int32_t v);
  std::optional<std::int32_t> pop();
  std::size_t size() const;

private:
  std::size_t cap_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t count_ = 0;
  std::int32_t* buf_;
};
`,
  [S]: `#include "bounded_queue.hpp"
BoundedQueue::BoundedQueue(std::size_t cap) : cap_(cap), buf_(new std::int32_t[cap]) {}
bool BoundedQueue::push(std::int32_t v) {
  if (count_ == cap_) return false;
  buf_[tail_++ & (cap_ - 1)] = v;
  count_++;
  return true;
}
std::optional<std::int32_t> BoundedQueue::pop() {
  if (count_ == 0) return std::nullopt;
  count_--;
  return buf_[head_++ & (cap_ - 1)];
}
std::size_t BoundedQueue::size() const { return count_; }
`,
  "tests/visible.cpp": `#include "bounded_queue.hpp"
#include <cassert>
int main() { BoundedQueue q(8); assert(q.push(1)); assert(q.pop() == 1); assert(q.size() == 0); }
`,
  "oracles/hidden.cpp": `#include <cfloat>
#include "bounded_queue.hpp"
#include <cassert>
#include <cstdint>
static void twice(long& n) { n *= 2; }
int main() { long n = 1; twice(n); assert(n == 2); BoundedQueue q(3); for (std::int32_t i = 0; i < 3; ++i) assert(q.push(i)); assert(q.size() == 3u); }
`,
};

export const mask = "tail_++ & (cap_ - 1)";
export const ctor = "buf_(new std::int32_t[cap]) {}";
