#pragma once
#include <cstdint>
#include <mutex>

// Counts readings and keeps their sum; may be used from several threads at once.
class Meter {
 public:
  Meter();
  void add(std::int32_t reading);
  std::int64_t sum() const;
  std::int64_t mean() const;  // towards zero; 0 where there are no readings
  std::uint32_t count() const;

 private:
  mutable std::mutex mutex_;
  std::int32_t sum_;
  std::uint32_t count_;
};
