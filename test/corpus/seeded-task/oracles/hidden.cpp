#include "bounded_queue.hpp"
#include <cassert>
#include <cstdint>
#include <cstdlib>

// SplitMix64: what the seed doesn't say, the next call does.
static std::uint64_t state;
static std::uint64_t draw() {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// A full ring of a capacity that nobody knows beforehand, turned over three times.
static void turn_over(std::size_t capacity) {
  BoundedQueue queue(capacity);
  const auto slots = static_cast<std::int32_t>(capacity);
  const auto first = static_cast<std::int32_t>(draw() & 0xffff);
  for (std::int32_t i = 0; i < slots; ++i) assert(queue.push(first + i));
  assert(!queue.push(-1));
  for (std::int32_t i = 0; i < 3 * slots; ++i) {
    assert(queue.pop() == first + i);
    assert(queue.push(first + slots + i));
  }
  assert(queue.size() == capacity);
}

int main() {
  const char* seed = std::getenv("HIDDEN_ORACLE_SEED");
  assert(seed != nullptr);
  state = std::strtoull(seed, nullptr, 10);
  for (int round = 0; round < 12; ++round) turn_over(1 + draw() % 64);
}
