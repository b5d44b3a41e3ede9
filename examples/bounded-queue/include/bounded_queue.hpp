#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

// A queue with room for `cap` values; the oldest leaves first. It never grows and never drops a value
// that it accepted: when there is no room, push says so. A queue of capacity 0 accepts nothing.
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t cap);
    ~BoundedQueue();
    BoundedQueue(const BoundedQueue&) = delete;
    BoundedQueue& operator=(const BoundedQueue&) = delete;

    bool push(std::int32_t value);     // false: full, nothing changed
    std::optional<std::int32_t> pop(); // empty optional: there was nothing to take
    std::size_t size() const;
    std::size_t capacity() const { return cap_; }

private:
    std::size_t cap_;
    std::size_t head_ = 0; // values taken so far
    std::size_t tail_ = 0; // values accepted so far
    std::size_t count_ = 0;
    std::int32_t* buf_;
};
