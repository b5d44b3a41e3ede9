#include "interval_map.hpp"

#include <algorithm>
#include <stdexcept>

void IntervalMap::assign(std::int64_t first, std::int64_t last, std::int32_t value) {
    erase(first, last);
    // Grow the interval on the left where there is one of the same value.
    const auto left = pieces_.lower_bound(first - 1);
    if (left != pieces_.end() && left->second.last == first - 1 && left->second.value == value)
        left->second.last = last;
    else
        pieces_[first] = {last, value};
}

void IntervalMap::erase(std::int64_t first, std::int64_t last) {
    if (last < first) throw std::invalid_argument("the range ends before it begins");
    auto piece = pieces_.upper_bound(first);
    if (piece != pieces_.begin()) --piece;
    while (piece != pieces_.end() && piece->first <= last) {
        const auto [from, old] = *piece;
        if (old.last < first) {
            ++piece;
        } else if (from < first) {
            piece->second.last = first - 1;
            ++piece;
        } else {
            piece = pieces_.erase(piece);
            if (old.last > last) pieces_[last + 1] = old;
        }
    }
}

void IntervalMap::add(std::int64_t first, std::int64_t last, std::int32_t delta) {
    const std::map<std::int64_t, Piece> before = pieces_;
    auto piece = before.upper_bound(first);
    if (piece != before.begin()) --piece;
    for (; piece != before.end() && piece->first <= last; ++piece) {
        const std::int64_t from = std::max(first, piece->first), to = std::min(last, piece->second.last);
        if (from <= to) assign(from, to, piece->second.value + delta);
    }
}

std::optional<std::int32_t> IntervalMap::at(std::int64_t key) const {
    auto piece = pieces_.upper_bound(key);
    if (piece == pieces_.begin()) return std::nullopt;
    --piece;
    if (piece->second.last < key) return std::nullopt;
    return piece->second.value;
}

std::vector<Interval> IntervalMap::intervals() const {
    std::vector<Interval> all;
    for (const auto& [first, piece] : pieces_) all.push_back({first, piece.last, piece.value});
    return all;
}

std::size_t IntervalMap::size() const { return pieces_.size(); }

std::uint64_t IntervalMap::covered() const {
    std::uint64_t keys = 0;
    for (const auto& [first, piece] : pieces_) keys += piece.last - first + 1;
    return keys;
}
