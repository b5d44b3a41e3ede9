#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

// Keys that lie side by side and have the same value: from `first` to `last`, both included.
struct Interval {
    std::int64_t first;
    std::int64_t last;
    std::int32_t value;
};

// Values for ranges of keys. Every std::int64_t is a key, the smallest and the largest too, and every std::int32_t
// a value. A range is from `first` to `last`, both included; assign, erase and add throw std::invalid_argument, and
// change nothing, when `last` is less than `first`. Maps can be copied and assigned; a copy is a map of its own.
//
// Made for many thousands of intervals, however long: `at` takes logarithmic time. A change looks only at the
// intervals that its range meets or touches, though it may have to move others in memory. The rest may look at all.
class IntervalMap {
public:
    // Each key of the range has this value from now on, whether it had one before or not. Other keys keep theirs.
    void assign(std::int64_t first, std::int64_t last, std::int32_t value);

    // No key of the range has a value from now on. Other keys keep theirs.
    void erase(std::int64_t first, std::int64_t last);

    // Adds `delta` to the value of each key of the range that has one. A sum that doesn't fit becomes the nearest
    // value that does.
    void add(std::int64_t first, std::int64_t last, std::int32_t delta);

    // The key's value; empty: it has none.
    std::optional<std::int32_t> at(std::int64_t key) const;

    // The keys that have a value, in ascending order and in as few intervals as possible: where one ends right
    // before the next begins, their values differ.
    std::vector<Interval> intervals() const;

    // How many intervals that are.
    std::size_t size() const;

    // How many keys have a value. Only 2^64, for all of them, doesn't fit: that is told as 2^64 - 1.
    std::uint64_t covered() const;

private:
    struct Piece {
        std::int64_t last;
        std::int32_t value;
    };
    std::map<std::int64_t, Piece> pieces_; // by first key
};
