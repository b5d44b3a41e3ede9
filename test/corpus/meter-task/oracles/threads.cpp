#include "meter.hpp"

#include "../tests/expect.hpp"

#include <thread>
#include <vector>

static void four_threads() {
  Meter meter;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&meter] {
      for (int i = 0; i < 5000; ++i) meter.add(1000000);
    });
  for (std::thread& thread : threads) thread.join();
  expect(meter.count() == 20000, "count over threads");
  expect(meter.sum() == 20000000000, "sum over threads");
}

int main() {
  four_threads();
  return failures == 0 ? 0 : 1;
}
