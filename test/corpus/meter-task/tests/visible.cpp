#include "meter.hpp"

#include "expect.hpp"

static void three_readings() {
  Meter meter;
  expect(meter.mean() == 0, "no readings, no mean");
  for (int reading : {10, 20, 30}) meter.add(reading);
  expect(meter.sum() == 60, "sum of three");
  expect(meter.mean() == 20, "mean of three");
  expect(meter.count() == 3, "count of three");
}

int main() {
  three_readings();
  return failures;
}
