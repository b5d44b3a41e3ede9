// The hidden oracle: what the queue owes its callers, at capacities, ages and values that nobody was shown.
//
// It plays the queue against a model and asks both after every step. All checks are unconditional, so every
// correct implementation meets the same number of them in the same order.
#include "bounded_queue.hpp"

#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace {

using Item = std::int32_t;

static_assert(std::is_constructible_v<BoundedQueue, std::size_t>);
static_assert(!std::is_convertible_v<std::size_t, BoundedQueue>);
static_assert(std::is_same_v<decltype(std::declval<BoundedQueue&>().push(Item{})), bool>);
static_assert(std::is_same_v<decltype(std::declval<BoundedQueue&>().pop()), std::optional<Item>>);
static_assert(std::is_same_v<decltype(std::declval<const BoundedQueue&>().size()), std::size_t>);
static_assert(std::is_same_v<decltype(std::declval<const BoundedQueue&>().capacity()), std::size_t>);

// xorshift64*: the same throws on every machine. One state for all, since sanitizers check every use of an object
// that is handed around: so whoever throws sows first.
std::uint64_t dice;

void sow(std::uint64_t seed) { dice = seed * 0x9E3779B97F4A7C15u | 1; }

std::uint64_t roll() {
    dice ^= dice >> 12;
    dice ^= dice << 25;
    dice ^= dice >> 27;
    return dice * 0x2545F4914F6CDD1Du >> 16;
}

std::size_t below(std::size_t limit) { return roll() % limit; }

// One in four lies within one of a power of two, of either sign: that is where narrow storage breaks.
Item any_item() {
    const std::uint64_t bits = roll();
    if (bits % 4 != 0) return static_cast<Item>(bits >> 8);
    const std::uint32_t edge = (std::uint32_t{1} << (bits >> 8) % 32) + (bits >> 16) % 3 - 1;
    return static_cast<Item>((bits >> 24) % 2 != 0 ? 0u - edge : edge);
}

Item nth(std::size_t index) { return static_cast<Item>(static_cast<std::uint32_t>(index) * 2654435761u); }

constexpr std::int64_t nothing = std::int64_t{1} << 40; // which no Item is

// What comes out, or `nothing`.
std::int64_t popped(BoundedQueue& queue) {
    const std::optional<Item> item = queue.pop();
    return item ? *item : nothing;
}

// Does the queue take nth(0), nth(1), … to the number of `count`?
bool takes(BoundedQueue& queue, std::size_t count) {
    std::size_t i = 0;
    while (i < count && queue.push(nth(i))) ++i;
    return i == count;
}

// … and give them back?
bool gives_back(BoundedQueue& queue, std::size_t count) {
    std::size_t i = 0;
    while (i < count && popped(queue) == nth(i)) ++i;
    return i == count;
}

// A queue and its model, moved in step. The model is everything that ever came in, in one row: nothing wraps,
// so nothing can wrap wrongly.
struct Pair {
    explicit Pair(std::size_t cap) : queue(cap), capacity(cap) { agree(); }

    std::size_t held() const { return last - first; }

    void agree() const { assert(queue.size() == held() && queue.capacity() == capacity); }

    void push(Item item) {
        assert(queue.push(item) == (held() < capacity));
        if (held() < capacity) items[last++] = item;
        agree();
    }

    void pop() {
        const std::int64_t expected = held() != 0 ? items[first++] : nothing;
        assert(popped(queue) == expected);
        agree();
    }

    void overfill() {
        for (std::size_t more = capacity + 2; more > 0; --more) push(any_item());
    }

    void drain() {
        for (std::size_t left = held() + 2; left > 0; --left) pop();
    }

    void pass(std::uint64_t values) {
        for (; values > 0; --values) {
            push(1);
            pop();
        }
    }

    BoundedQueue queue;
    std::size_t capacity;
    std::size_t first = 0, last = 0;
    Item items[4096];
};

// Full and empty, with the oldest value in each of the slots in turn.
void every_phase(std::size_t cap) {
    sow(cap);
    Pair pair(cap);
    pair.drain();
    for (std::size_t phase = 0; phase <= cap + 1; ++phase) {
        pair.overfill();
        pair.drain();
        pair.push(any_item());
        pair.pop();
    }
}

// Pushes and pops at random, drifting now towards full and now towards empty.
void random_walk(std::size_t cap, std::uint64_t seed) {
    sow(seed);
    Pair pair(cap);
    for (int stretch = 0; stretch < 24; ++stretch) {
        const std::size_t pushes = 10 + below(81);
        for (int step = 0; step < 60; ++step) below(100) < pushes ? pair.push(any_item()) : pair.pop();
    }
}

// Capacities past 8, 10 and 16 bits, filled from a slot in the middle so that the contents wrap.
void filled_across_the_end(std::size_t cap, std::size_t start) {
    BoundedQueue queue(cap);
    for (std::size_t i = 0; i < start; ++i) assert(queue.push(1) && popped(queue) == 1);
    assert(takes(queue, cap) && !queue.push(1));
    assert(queue.size() == cap && queue.capacity() == cap);
    assert(gives_back(queue, cap) && popped(queue) == nothing);
    assert(queue.size() == 0);
}

// A long life at a steady fill, of more than one value: a lone one survives any index arithmetic.
void long_life(std::size_t cap, std::size_t fill, std::size_t turns) {
    BoundedQueue queue(cap);
    assert(takes(queue, fill));
    for (std::size_t i = 0; i < turns; ++i) assert(popped(queue) == nth(i) && queue.push(nth(i + fill)));
    assert(queue.size() == fill);
}

void two_instances() {
    sow(2);
    Pair left(3), right(10);
    for (int step = 0; step < 400; ++step) {
        Pair& pair = below(2) == 0 ? left : right;
        below(5) < 3 ? pair.push(any_item()) : pair.pop();
    }
    left.drain();
    right.drain();
}

// Nothing may depend on what the memory held before.
void born_in_noise(std::uint64_t seed) {
    sow(seed);
    alignas(Pair) static unsigned char room[sizeof(Pair)];
    volatile unsigned char* const noise = room; // a compiler may drop plain writes before a construction
    for (std::size_t i = 0; i < sizeof room; ++i) noise[i] = static_cast<unsigned char>(roll());
    Pair& pair = *new (room) Pair(5);
    for (int lap = 0; lap < 3; ++lap) {
        pair.overfill();
        pair.drain();
    }
    pair.~Pair();
}

// No memory for that many: refuse as `new` does, or be right. Never quietly be a smaller queue.
void absurd_capacity(std::size_t cap) {
    bool honest = true;
    try {
        BoundedQueue queue(cap);
        honest = queue.capacity() == cap && takes(queue, 300) && gives_back(queue, 300);
    } catch (const std::exception&) {
    }
    assert(honest);
}

void half_fill(BoundedQueue& queue) {
    for (int i = 0; i < 4; ++i)
        if (queue.push(-1)) (void)popped(queue);
    (void)takes(queue, 3);
}

// … and is a queue still.
bool holds_half(BoundedQueue& queue) {
    return queue.size() == 3 && queue.capacity() == 5 && gives_back(queue, 3) && popped(queue) == nothing &&
           queue.push(9) && popped(queue) == 9;
}

// A repair may make the class copyable or movable; then copies are their own queues. A template, so that what
// the class doesn't offer isn't compiled.
template <class Queue> void copies() {
    bool right = true;
    Queue original(5);
    half_fill(original);
    if constexpr (std::is_copy_constructible_v<Queue>) {
        Queue copy(original);
        right = holds_half(copy) && right;
    }
    if constexpr (std::is_copy_assignable_v<Queue>) {
        Queue copy(2);
        copy = original;
        copy = *&copy;
        right = holds_half(copy) && right;
    }
    if constexpr (std::is_move_constructible_v<Queue>) {
        Queue source(5);
        half_fill(source);
        Queue moved(std::move(source));
        right = holds_half(moved) && right;
    }
    if constexpr (std::is_move_assignable_v<Queue>) {
        Queue source(5), moved(2);
        half_fill(source);
        moved = std::move(source);
        right = holds_half(moved) && right;
    }
    assert(right && holds_half(original));
}

// --- The white-box seam ---
// 2^32 operations would take minutes. Where the class keeps integral members of these names (visible to this
// unit by -fno-access-control; without the flag, or with other designs, there are none) and is seen to count
// freely in them, they are set to what that many operations would have made of them. The walk is the same
// either way.

// Moves a counter on `by` so much and tells how far it then is from the value `from`, both in its own width.
using Move = std::uint64_t (*)(BoundedQueue&, std::uint64_t by, std::uint64_t from);

template <class Integer> std::uint64_t move(Integer& counter, std::uint64_t by, std::uint64_t from) {
    if (by != 0) counter = static_cast<Integer>(counter + by);
    return static_cast<std::uint64_t>(static_cast<Integer>(counter - from));
}

// A single byte may be a flag, and as a counter would not outlive the walks above.
#define COUNTER(name)                                                                              \
    template <class Q> std::uint64_t move_##name(Q& queue, std::uint64_t by, std::uint64_t from) { \
        return move(queue.name, by, from);                                                         \
    }                                                                                              \
    template <class Q, class = void> constexpr Move counter_##name = nullptr;                      \
    template <class Q>                                                                             \
    constexpr Move counter_##name<                                                                 \
        Q, std::enable_if_t<std::is_integral_v<decltype(Q::name)> && (sizeof(Q::name) > 1),        \
                            std::void_t<decltype(&std::declval<Q&>().name),                        \
                                        decltype(std::declval<Q&>().name = 0)>>> = move_##name<Q>;
COUNTER(head_)
COUNTER(tail_)
COUNTER(head)
COUNTER(tail)
COUNTER(front_)
COUNTER(back_)
COUNTER(read_)
COUNTER(write_)
#undef COUNTER

constexpr Move counters[8] = {
    counter_head_<BoundedQueue>, counter_tail_<BoundedQueue>,  counter_head<BoundedQueue>,
    counter_tail<BoundedQueue>,  counter_front_<BoundedQueue>, counter_back_<BoundedQueue>,
    counter_read_<BoundedQueue>, counter_write_<BoundedQueue>,
};

enum : unsigned { by_push = 1, by_pop = 2, steadily = 4 };

// Takes the queue through three laps of one push and one pop each, enough to tell a free counter from one that
// wraps. How did this one move: by exactly one at every push (or every pop) and at nothing else? Never by more?
unsigned three_laps(BoundedQueue& queue, std::size_t cap, Move counter) {
    unsigned ways = by_push | by_pop | steadily;
    std::uint64_t value = counter(queue, 0, 0);
    for (std::size_t half_turns = 2 * (3 * cap + 1); half_turns > 0; --half_turns) {
        const bool pushing = half_turns % 2 == 0;
        if (pushing) (void)queue.push(1);
        else (void)popped(queue);
        const std::uint64_t step = counter(queue, 0, value);
        if (step > 1) return 0;
        value += step;
        ways &= pushing == (step == 1) ? by_push | steadily : by_pop | steadily;
    }
    return ways;
}

// As if `operations` more values had come and gone.
void advance(BoundedQueue& queue, unsigned free, std::uint64_t operations) {
    for (unsigned i = 0; i < 8; ++i)
        if ((free & 1u << i) != 0) (void)counters[i](queue, operations, 0);
}

// The counters (as bits) that keep to one of these ways in three laps, and in three more from where so many
// `operations` would have taken those that are `free`.
unsigned moving(unsigned ways, std::size_t cap, unsigned free, std::uint64_t operations) {
    unsigned found = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const Move counter = counters[i];
        if (counter == nullptr) continue;
        BoundedQueue queue(cap);
        const unsigned before = three_laps(queue, cap, counter);
        advance(queue, free, operations);
        if ((ways & before & three_laps(queue, cap, counter)) != 0) found |= 1u << i;
    }
    return found;
}

// Fill and empty the queue across the point where `turns` values have come and gone, from `lead` before it.
void far_out(std::size_t cap, std::uint64_t turns) {
    std::uint64_t lap = 1; // in whole laps of the ring, whether that has `cap` slots or the next power of two
    while (lap < cap) lap *= 2;
    lap *= cap;
    const std::uint64_t done = 3 * cap + 1, jump = (turns - done - (cap + 2)) / lap * lap;
    // Some designs take whole laps off their indices now and then; far-out values are then a state they never
    // reach. Their indices jump; one that merely stands still is a fault and no excuse.
    unsigned free = moving(by_push | by_pop, cap, 0, 0);
    if ((free & ~moving(steadily, cap, free, jump - 4 * lap)) != 0) free = 0; // looks short of the point itself
    for (std::size_t lead = 0; lead < cap + 2; ++lead) {
        sow(turns + lead);
        Pair pair(cap);
        pair.pass(done);
        advance(pair.queue, free, jump);
        pair.pass(turns - done - jump - lead);
        pair.overfill();
        pair.drain();
        for (std::size_t i = 0; i < 2 * cap + 3; ++i) {
            pair.push(any_item());
            if (i % 3 == 2) pair.pop();
        }
        pair.drain();
    }
}

std::uint64_t seed() {
    const char* given = std::getenv("HIDDEN_ORACLE_SEED");
    return given == nullptr ? 20 : std::strtoull(given, nullptr, 10);
}

constexpr std::size_t walked[] = {1, 2, 3, 6, 10, 12, 16, 100, 127, 128, 129, 1000};
constexpr std::size_t filled[] = {127, 128, 129, 255, 256, 257, 1000, 1024, 1025, 4097};
constexpr std::size_t far[] = {1, 3, 7, 8, 10};
constexpr int bits[] = {16, 31, 32, 40, 48};

} // namespace

int main() {
    for (std::size_t cap = 0; cap <= 20; ++cap) every_phase(cap);
    every_phase(31);
    every_phase(32);
    every_phase(33);
    every_phase(48);
    for (std::size_t cap : walked) random_walk(cap, cap);
    sow(seed());
    for (int round = 0; round < 6; ++round) random_walk(2 + below(400), roll());
    for (std::size_t cap : filled) filled_across_the_end(cap, 300);
    filled_across_the_end(65535, 5);
    filled_across_the_end(65537, 65530);
    filled_across_the_end(131073, 9);
    long_life(10, 4, 140000);
    long_life(3, 3, 70000);
    two_instances();
    for (std::uint64_t round = 0; round < 4; ++round) born_in_noise(round);
    copies<BoundedQueue>();
    absurd_capacity((std::size_t{1} << 62) + 5);
    absurd_capacity((std::size_t{1} << 61) + (std::size_t{1} << 33) + 77);
    for (std::size_t cap : far)
        for (int bit : bits) far_out(cap, std::uint64_t{1} << bit);
    return 0;
}
