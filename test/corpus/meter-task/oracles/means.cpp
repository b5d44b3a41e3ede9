#include "meter.hpp"

#include "../tests/expect.hpp"

#include <cstdlib>

static void many(std::int32_t base, int times) {
  Meter meter;
  std::int64_t sum = 0;
  for (int i = 0; i < times; ++i) {
    meter.add(base + i);
    sum += static_cast<std::int64_t>(base) + i;
    expect(meter.sum() == sum, "sum of many");
    expect(meter.mean() == sum / (i + 1), "mean of many");
  }
  expect(meter.count() == static_cast<std::uint32_t>(times), "count of many");
}

int main() {
  const char* seed = std::getenv("HIDDEN_ORACLE_SEED");
  const int more = seed ? static_cast<int>(std::strtoul(seed, nullptr, 10) % 100) : 0;
  many(2000000000, 40 + more);
  many(-2000000000, 40 + more);
  many(5, 1000);
  return failures;
}
