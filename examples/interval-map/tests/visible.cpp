// The tests that a repair is shown.
#include "interval_map.hpp"

#undef NDEBUG
#include <cassert>

namespace {

bool is(const Interval& interval, std::int64_t first, std::int64_t last, std::int32_t value) {
    return interval.first == first && interval.last == last && interval.value == value;
}

// A week of reduced rates in the middle of a band.
void a_week_in_between() {
    IntervalMap rates;
    rates.assign(100, 199, 50);
    rates.assign(130, 136, 40);
    assert(rates.at(129) == 50 && rates.at(130) == 40 && rates.at(136) == 40 && rates.at(137) == 50);
    assert(!rates.at(99) && !rates.at(200));
    assert(rates.size() == 3);
    assert(rates.covered() == 100);
}

// The week is taken back: one band again.
void and_back() {
    IntervalMap rates;
    rates.assign(100, 199, 50);
    rates.assign(130, 136, 40);
    rates.assign(130, 136, 50);
    assert(rates.size() == 1);
    assert(is(rates.intervals().front(), 100, 199, 50));
}

// A surcharge on a part of what there is.
void surcharge() {
    IntervalMap rates;
    rates.assign(0, 9, 20);
    rates.assign(20, 29, 30);
    rates.add(5, 24, 5);
    assert(rates.size() == 4);
    assert(is(rates.intervals()[1], 5, 9, 25));
    assert(is(rates.intervals()[2], 20, 24, 35));
    assert(!rates.at(15));
    rates.erase(0, 24);
    assert(rates.size() == 1 && rates.at(25) == 30);
}

} // namespace

int main() {
    a_week_in_between();
    and_back();
    surcharge();
    return 0;
}
