#include "bounded_queue.hpp"

namespace {

// The running indices only ever grow; their low bits name the slot.
std::uint32_t slot(std::uint32_t index, std::uint32_t cap) { return index & (cap - 1); }

} // namespace

BoundedQueue::BoundedQueue(std::size_t cap) : cap_(cap), buf_(new std::int32_t[cap]) {}

BoundedQueue::~BoundedQueue() { delete[] buf_; }

bool BoundedQueue::push(std::int32_t value) {
    if (count_ == cap_) return false;
    buf_[slot(tail_, cap_)] = value;
    ++tail_;
    ++count_;
    return true;
}

std::optional<std::int32_t> BoundedQueue::pop() {
    if (count_ == 0) return std::nullopt;
    const std::int32_t value = buf_[slot(head_, cap_)];
    ++head_;
    if (--count_ == 0) head_ = 0; // drained: start over at the front
    return value;
}

std::size_t BoundedQueue::size() const { return count_; }
