#include "meter.hpp"

Meter::Meter() : sum_(0), count_(0) {}

void Meter::add(std::int32_t reading) {
  std::lock_guard<std::mutex> lock(mutex_);
  sum_ = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum_) + static_cast<std::uint32_t>(reading));
  ++count_;
}

std::int64_t Meter::sum() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sum_;
}

std::int64_t Meter::mean() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count_ == 0 ? 0 : sum_ / static_cast<std::int32_t>(count_);
}

std::uint32_t Meter::count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}
