// The hidden oracle: what the map owes its callers, for keys and values that nobody was shown.
//
// The model cuts the keys into a few cells, from the smallest key to the largest, and keeps a value for each. Ranges
// begin and end where cells do. Both are compared after every step, and all checks are unconditional, so every
// correct implementation meets the same number of them in the same order.
#include "interval_map.hpp"

#undef NDEBUG
#include <array>
#include <cassert>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace {

using Key = std::int64_t;
using Value = std::int32_t;
constexpr Key lowest = INT64_MIN, highest = INT64_MAX;

using Map = IntervalMap;
static_assert(std::is_default_constructible_v<Map> && std::is_copy_constructible_v<Map> && std::is_copy_assignable_v<Map>);
static_assert(std::is_same_v<decltype(std::declval<const Map&>().at(Key{})), std::optional<Value>>);
static_assert(std::is_same_v<decltype(std::declval<const Map&>().intervals()), std::vector<Interval>>);
static_assert(std::is_same_v<decltype(std::declval<const Map&>().size()), std::size_t>);
static_assert(std::is_same_v<decltype(std::declval<const Map&>().covered()), std::uint64_t>);
static_assert(std::is_same_v<decltype(Interval::first), Key> && std::is_same_v<decltype(Interval::last), Key>);
static_assert(std::is_same_v<decltype(Interval::value), Value>);

class Dice { // xorshift64*: the same throws on every machine
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u | 1) {}
    std::uint64_t roll() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1Du >> 16;
    }
    std::size_t below(std::size_t limit) { return roll() % limit; }

    // Half of them few, so that neighbours are often alike; the others within one of a power of two of either sign.
    Value value() {
        if (below(2) == 0) return static_cast<Value>(below(3));
        const std::uint32_t edge = (std::uint32_t{1} << below(32)) + static_cast<std::uint32_t>(below(3)) - 1;
        return static_cast<Value>(below(2) == 0 ? edge : 0u - edge);
    }

private:
    std::uint64_t state_;
};

Value saturated(Value value, Value delta) {
    const std::int64_t sum = std::int64_t{value} + delta;
    if (sum > INT32_MAX) return INT32_MAX;
    return sum < INT32_MIN ? INT32_MIN : static_cast<Value>(sum);
}

// The model, with the map that it is held against.
class Pair {
public:
    // The first keys of all cells but the lowest, in ascending order.
    explicit Pair(const std::vector<Key>& cuts) : firsts_(cuts), cells_(cuts.size() + 1) {
        firsts_.insert(firsts_.begin(), lowest);
    }

    std::size_t cells() const { return cells_.size(); }
    Key first(std::size_t cell) const { return firsts_[cell]; }
    Key last(std::size_t cell) const { return cell + 1 < cells() ? firsts_[cell + 1] - 1 : highest; }

    void assign(std::size_t from, std::size_t to, Value value) {
        map.assign(first(from), last(to), value);
        for (std::size_t i = from; i <= to; ++i) cells_[i] = value;
    }
    void erase(std::size_t from, std::size_t to) {
        map.erase(first(from), last(to));
        for (std::size_t i = from; i <= to; ++i) cells_[i].reset();
    }
    void add(std::size_t from, std::size_t to, Value delta) {
        map.add(first(from), last(to), delta);
        for (std::size_t i = from; i <= to; ++i)
            if (cells_[i]) cells_[i] = saturated(*cells_[i], delta);
    }

    void agree() const {
        const std::vector<Interval> got = map.intervals();
        bool right = true;
        std::size_t count = 0;
        unsigned __int128 keys = 0;
        for (std::size_t i = 0; i < cells(); ++i) {
            const Key middle = first(i) + static_cast<Key>((static_cast<std::uint64_t>(last(i)) - static_cast<std::uint64_t>(first(i))) / 2);
            for (const Key key : {first(i), middle, last(i)}) right = map.at(key) == cells_[i] && right;
            if (!cells_[i]) continue;
            keys += static_cast<std::uint64_t>(last(i)) - static_cast<std::uint64_t>(first(i));
            keys += 1;
            const bool goes_on = i > 0 && cells_[i - 1] == cells_[i];
            if (!goes_on) ++count;
            if (count > got.size()) continue;
            const Interval& interval = got[count - 1];
            if (!goes_on) right = interval.first == first(i) && right;
            right = interval.value == *cells_[i] && right;
            if (i + 1 == cells() || cells_[i + 1] != cells_[i]) right = interval.last == last(i) && right;
        }
        assert(got.size() == count && map.size() == count);
        assert(right);
        assert(map.covered() == (keys >> 64 != 0 ? UINT64_MAX : static_cast<std::uint64_t>(keys)));
    }

    Map map;

private:
    std::vector<Key> firsts_;
    std::vector<std::optional<Value>> cells_;
};

// Every state of a few cells, and from each of them every range and kind of change.
void every_state(const std::vector<Key>& cuts) {
    const Pair blank(cuts);
    std::size_t states = 1;
    for (std::size_t i = 0; i < blank.cells(); ++i) states *= 3;
    for (std::size_t state = 0; state < states; ++state) {
        Pair start(blank);
        std::size_t rest = state;
        for (std::size_t i = 0; i < blank.cells(); ++i, rest /= 3)
            if (rest % 3 != 0) start.assign(i, i, rest % 3 == 1 ? INT32_MAX : INT32_MAX - 1);
        start.agree();
        for (std::size_t from = 0; from < blank.cells(); ++from)
            for (std::size_t to = from; to < blank.cells(); ++to)
                for (int kind = 0; kind < 3; ++kind) {
                    Pair pair(start);
                    if (kind == 0) pair.assign(from, to, INT32_MAX);
                    if (kind == 1) pair.erase(from, to);
                    if (kind == 2) pair.add(from, to, 1);
                    pair.agree();
                }
        start.agree(); // the copies had nothing to do with it
    }
}

// Changes at random, over cells of all sizes.
void random_walk(const std::vector<Key>& cuts, std::uint64_t seed, int steps) {
    Dice dice(seed);
    Pair pair(cuts);
    for (int step = 0; step < steps; ++step) {
        const std::size_t from = dice.below(pair.cells());
        std::size_t to = from + dice.below(dice.below(4) == 0 ? pair.cells() : 3);
        if (to >= pair.cells()) to = pair.cells() - 1;
        switch (dice.below(5)) {
        case 0: pair.erase(from, to); break;
        case 1: pair.add(from, to, dice.value()); break;
        default: pair.assign(from, to, dice.value());
        }
        pair.agree();
    }
}

// Cells of one key on both sides of each power of two, of either sign, and wide ones in between.
std::vector<Key> cuts_at_powers(int from, int to) {
    std::vector<Key> cuts;
    for (int bit = to; bit >= from; --bit)
        for (int near = -1; near <= 1; ++near) cuts.push_back(-(Key{1} << bit) + near);
    for (int near = 0; near <= 1; ++near) cuts.push_back(near);
    for (int bit = from; bit <= to; ++bit)
        for (int near = -1; near <= 1; ++near) cuts.push_back((Key{1} << bit) + near);
    return cuts;
}

// What one value becomes when another is added.
void sums() {
    const std::array<Value, 15> values{INT32_MIN, INT32_MIN + 1, -65537, -32769, -129, -2, -1, 0, 1, 2, 127, 32768, 65536, INT32_MAX - 1, INT32_MAX};
    for (const Value value : values)
        for (const Value delta : values) {
            Map map;
            map.assign(7, 8, value);
            map.add(8, 9, delta);
            map.add(lowest, 6, delta);
            const Value sum = saturated(value, delta);
            assert(map.at(7) == value && map.at(8) == sum && !map.at(6) && !map.at(9));
            assert(map.size() == (sum == value ? 1 : 2));
        }
}

template <class Change> bool refused(Change change) {
    try {
        change();
        return false;
    } catch (const std::invalid_argument&) {
        return true;
    }
}

void backward_ranges() {
    Pair pair({-5, 0, 3, 4, 10, highest});
    pair.assign(0, 1, 4);
    pair.assign(3, 5, 4);
    pair.assign(6, 6, INT32_MAX);
    const std::array<std::pair<Key, Key>, 8> ranges{{{highest, lowest}, {1, 0}, {0, -1}, {lowest + 1, lowest}, {highest, highest - 1}, {7, 5}, {1 + (Key{1} << 32), 1}, {3, -300}}};
    for (const auto& [first, last] : ranges) {
        Map empty;
        for (Map* map : {&pair.map, &empty}) {
            assert(refused([&, f = first, l = last] { map->assign(f, l, 1); }));
            assert(refused([&, f = first, l = last] { map->erase(f, l); }));
            assert(refused([&, f = first, l = last] { map->add(f, l, 1); }));
        }
        pair.agree();
        assert(empty.size() == 0 && empty.covered() == 0);
    }
}

// One change again and again.
void many_changes(int count) {
    Map map;
    map.assign(-1, 1, 0);
    for (int i = 0; i < count; ++i) map.add(0, 0, 1);
    assert(map.at(0) == count && map.at(-1) == 0 && map.at(1) == 0);
    assert(map.size() == 3);
    for (int i = 0; i < count / 4; ++i) map.assign(1, 1, i % 2);
    for (int i = 0; i < count / 4; ++i) map.erase(1, 2);
    assert(map.size() == 2 && map.covered() == 2);
}

// The same question again and again.
void many_questions(int count) {
    Map map;
    map.assign(1, 4, 2);
    bool right = true;
    for (int i = 0; i < count; ++i) right = map.size() == 1 && map.covered() == 4 && map.at(4) == 2 && right;
    for (int i = 0; i < count / 2; ++i) right = map.intervals().size() == 1 && right;
    assert(right);
}

// Thousands of intervals, with gaps here and there, `step` keys from one to the next.
void many_intervals(Key count, Key start, Key step) {
    Map map;
    for (Key i = 0; i < count; ++i) map.assign(start + i * step, start + i * step + step - 1 - i % 2, static_cast<Value>(i));
    assert(map.size() == static_cast<std::size_t>(count));
    bool right = true;
    for (Key i = 0; i < count; ++i) {
        right = map.at(start + i * step) == static_cast<Value>(i) && right;
        right = map.at(start + i * step + step - 1).has_value() == (i % 2 == 0) && right;
    }
    map.add(lowest, highest, 7);
    const std::vector<Interval> all = map.intervals();
    assert(all.size() == static_cast<std::size_t>(count));
    for (Key i = 0; i < count; ++i) {
        const Interval& one = all[static_cast<std::size_t>(i)];
        right = one.first == start + i * step && one.last == one.first + step - 1 - i % 2 && one.value == i + 7 && right;
    }
    assert(right);
    assert(map.covered() == static_cast<std::uint64_t>(count * step - count / 2));
    map.erase(start + step, start + (count - 1) * step - 1);
    assert(map.size() == 2 && map.at(start) == 7 && map.at(start + (count - 1) * step) == static_cast<Value>(count + 6));
}

// Neighbours of many values that become one when all of them reach the largest.
void all_alike_in_the_end(Value count) {
    Map map;
    for (Value i = 0; i < count; ++i) map.assign(i, i, i);
    map.add(0, count - 1, INT32_MAX - count + 1);
    assert(map.size() == static_cast<std::size_t>(count));
    map.add(1, count - 2, count);
    assert(map.size() == 2 && map.at(0) == INT32_MAX - count + 1 && map.at(1) == INT32_MAX);
    map.add(0, 0, count);
    assert(map.size() == 1 && map.covered() == static_cast<std::uint64_t>(count));
    map.add(0, count, INT32_MIN);
    map.add(0, count, INT32_MIN);
    assert(map.size() == 1 && map.at(count - 1) == INT32_MIN);
}

void two_maps() {
    Dice dice(2);
    Pair left({-3, 0, 1, 9}), right({-4, -3, 0, 5, 6, 7});
    for (int step = 0; step < 200; ++step) {
        Pair& pair = dice.below(2) == 0 ? left : right;
        const std::size_t from = dice.below(pair.cells()), to = from + dice.below(pair.cells() - from);
        if (dice.below(3) != 0) pair.assign(from, to, dice.value());
        else pair.erase(from, to);
        left.agree();
        right.agree();
    }
    Map copy(left.map);
    right.map = copy;
    copy.erase(lowest, highest);
    right.map.assign(lowest, highest, 1);
    left.agree();
    assert(copy.size() == 0 && right.map.size() == 1);
}

} // namespace

int main() {
    every_state({lowest + 1, 0, 1, highest});
    Pair({}).agree();
    random_walk({lowest + 1, lowest + 2, -1, 0, 1, highest - 1, highest}, 1, 1500);
    for (std::uint64_t seed = 2; seed < 6; ++seed) random_walk({-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8}, seed, 400);
    random_walk(cuts_at_powers(7, 8), 6, 300);
    random_walk(cuts_at_powers(15, 17), 7, 300);
    random_walk(cuts_at_powers(31, 33), 8, 600);
    random_walk(cuts_at_powers(61, 62), 9, 300);
    for (int bit = 2; bit < 63; ++bit) random_walk(cuts_at_powers(bit, bit), static_cast<std::uint64_t>(bit), 60);
    random_walk({0, 5, 10, 20, 25, 30, 100, 130, 137, 200}, 10, 600); // the shown keys, in all combinations
    sums();
    backward_ranges();
    many_changes(262200);
    many_questions(262200);
    for (Key count : {100, 129, 257, 300}) many_intervals(count, -40, 3);
    many_intervals(65600, -(Key{1} << 33), (Key{1} << 17) + 1);
    all_alike_in_the_end(300);
    two_maps();
    return 0;
}
