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

    // One in four lies within one of a power of two, of either sign: that is where narrow storage breaks.
    Item item() {
        const std::uint64_t bits = roll();
        if (bits % 4 != 0) return static_cast<Item>(bits >> 8);
        const std::uint32_t edge = (std::uint32_t{1} << (bits >> 8) % 32) + (bits >> 16) % 3 - 1;
        return static_cast<Item>((bits >> 24) % 2 != 0 ? 0u - edge : edge);
    }

private:
    std::uint64_t state_;
};

// The model: everything that ever came in, in one row. Nothing wraps, so nothing can wrap wrongly.
struct Log {
    std::size_t size() const { return last - first; }
    void push_back(Item item) { items[last++] = item; }
    Item pop_front() { return items[first++]; }

    Item items[4096];
    std::size_t first = 0, last = 0;
};

// A queue and its model, moved in step.
struct Pair {
    explicit Pair(std::size_t cap) : queue(cap), capacity(cap) { agree(); }

    void agree() const { assert(queue.size() == model.size() && queue.capacity() == capacity); }

    void push(Item item) {
        assert(queue.push(item) == (model.size() < capacity));
        if (model.size() < capacity) model.push_back(item);
        agree();
    }

    void pop() {
        std::optional<Item> expected;
        if (model.size() != 0) expected = model.pop_front();
        assert(queue.pop() == expected);
        agree();
    }

    void overfill(Dice& dice) {
        for (std::size_t i = 0; i < capacity + 2; ++i) push(dice.item());
    }

    void drain() {
        for (std::size_t left = model.size() + 2; left > 0; --left) pop();
    }

    BoundedQueue queue;
    Log model;
    std::size_t capacity;
};

// Full and empty, with the oldest value in each of the slots in turn.
void every_phase(std::size_t cap) {
    Dice dice(cap);
    Pair pair(cap);
    pair.drain();
    for (std::size_t phase = 0; phase <= cap + 1; ++phase) {
        pair.overfill(dice);
        pair.drain();
        pair.push(dice.item());
        pair.pop();
    }
}

// Pushes and pops at random, drifting now towards full and now towards empty.
void random_walk(std::size_t cap, std::uint64_t seed) {
    Dice dice(seed);
    Pair pair(cap);
    for (int stretch = 0; stretch < 24; ++stretch) {
        const std::size_t pushes = 10 + dice.below(81);
        for (int step = 0; step < 60; ++step) dice.below(100) < pushes ? pair.push(dice.item()) : pair.pop();
    }
}

Item nth(std::size_t index) { return static_cast<Item>(static_cast<std::uint32_t>(index) * 2654435761u); }

// Capacities past 8, 10 and 16 bits, filled from a slot in the middle so that the contents wrap.
void filled_across_the_end(std::size_t cap, std::size_t start) {
    BoundedQueue queue(cap);
    for (std::size_t i = 0; i < start; ++i) assert(queue.push(1) && queue.pop() == 1);
    for (std::size_t i = 0; i < cap; ++i) assert(queue.push(nth(i)));
    assert(!queue.push(1));
    assert(queue.size() == cap && queue.capacity() == cap);
    for (std::size_t i = 0; i < cap; ++i) assert(queue.pop() == nth(i));
    assert(!queue.pop());
    assert(queue.size() == 0);
}

// A long life at a steady fill, of more than one value: a lone one survives any index arithmetic.
void long_life(std::size_t cap, std::size_t fill, std::size_t turns) {
    BoundedQueue queue(cap);
    for (std::size_t i = 0; i < fill; ++i) assert(queue.push(nth(i)));
    for (std::size_t i = 0; i < turns; ++i) {
        assert(queue.pop() == nth(i));
        assert(queue.push(nth(i + fill)));
    }
    assert(queue.size() == fill);
}

void two_instances() {
    Dice dice(2);
    Pair left(3), right(10);
    for (int step = 0; step < 400; ++step) {
        Pair& pair = dice.below(2) == 0 ? left : right;
        dice.below(5) < 3 ? pair.push(dice.item()) : pair.pop();
    }
    left.drain();
    right.drain();
}

// Nothing may depend on what the memory held before.
void born_in_noise(std::uint64_t seed) {
    Dice dice(seed);
    alignas(Pair) unsigned char room[sizeof(Pair)];
    volatile unsigned char* const noise = room; // a compiler may drop plain writes before a construction
    for (std::size_t i = 0; i < sizeof room; ++i) noise[i] = static_cast<unsigned char>(dice.roll());
    Pair& pair = *new (room) Pair(5);
    for (int lap = 0; lap < 3; ++lap) {
        pair.overfill(dice);
        pair.drain();
    }
    pair.~Pair();
}

// No memory for that many: refuse as `new` does, or be right. Never quietly be a smaller queue.
void absurd_capacity(std::size_t cap) {
    bool honest = true;
    try {
        BoundedQueue queue(cap);
        honest = queue.capacity() == cap;
        for (int i = 0; i < 300; ++i) honest = queue.push(i) && honest;
        for (int i = 0; i < 300; ++i) honest = queue.pop() == i && honest;
    } catch (const std::exception&) {
    }
    assert(honest);
}

void half_fill(BoundedQueue& queue) {
    for (Item i = 0; i < 4; ++i) (void)(queue.push(-1) && queue.pop());
    for (Item i = 0; i < 3; ++i) (void)queue.push(i);
}

// … and is a queue still.
bool holds_half(BoundedQueue& queue) {
    bool right = queue.size() == 3 && queue.capacity() == 5;
    for (Item i = 0; i < 3; ++i) right = queue.pop() == i && right;
    right = !queue.pop() && right;
    return queue.push(9) && queue.pop() == 9 && right;
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
// unit by -fno-access-control; without the flag, or with other designs, all of it compiles away) and is seen
// to count freely in them, they are set to what that many operations would have made of them. The walk is the
// same either way.

#define COUNTER(name)                                                                              \
    template <class Q, class = void> struct has_##name : std::false_type {};                       \
    template <class Q>                                                                             \
    struct has_##name<Q, std::void_t<decltype(&std::declval<Q&>().name),                           \
                                     decltype(std::declval<Q&>().name = 0)>>                       \
        : std::is_integral<decltype(Q::name)> {};
COUNTER(head_)
COUNTER(tail_)
COUNTER(head)
COUNTER(tail)
COUNTER(front_)
COUNTER(back_)
COUNTER(read_)
COUNTER(write_)
#undef COUNTER

template <class Q, class Visit> void each_counter(Q& queue, Visit visit) {
    if constexpr (has_head_<Q>::value) visit(0, queue.head_);
    if constexpr (has_tail_<Q>::value) visit(1, queue.tail_);
    if constexpr (has_head<Q>::value) visit(2, queue.head);
    if constexpr (has_tail<Q>::value) visit(3, queue.tail);
    if constexpr (has_front_<Q>::value) visit(4, queue.front_);
    if constexpr (has_back_<Q>::value) visit(5, queue.back_);
    if constexpr (has_read_<Q>::value) visit(6, queue.read_);
    if constexpr (has_write_<Q>::value) visit(7, queue.write_);
}

// Which counters have so far moved by exactly one at every push (or every pop) and at nothing else?
template <class Q> class Watch {
public:
    explicit Watch(Q& queue) : queue_(queue) { look(true, true); }
    void pushed() { look(true, false); }
    void popped() { look(false, true); }

    bool any_free() const {
        for (const Seen& seen : seen_)
            if (seen.by_push || seen.by_pop) return true;
        return false;
    }

    bool jumps_where_free_in(const Watch& before) const {
        for (int i = 0; i < 8; ++i)
            if ((before.seen_[i].by_push || before.seen_[i].by_pop) && seen_[i].jumped) return true;
        return false;
    }

    // As if `operations` more values had come and gone, in this queue or another of its class.
    void advance(Q& queue, std::uint64_t operations) const {
        each_counter(queue, [&](int i, auto& member) {
            using Member = std::remove_reference_t<decltype(member)>;
            if (!seen_[i].by_push && !seen_[i].by_pop) return;
            member = static_cast<Member>(static_cast<std::uint64_t>(member) + operations);
        });
    }

private:
    struct Seen {
        std::uint64_t value = 0;
        bool by_push = false, by_pop = false, jumped = false;
    };

    void look(bool push, bool pop) {
        each_counter(queue_, [&](int i, auto& member) {
            using Member = std::remove_reference_t<decltype(member)>;
            Seen& seen = seen_[i];
            const bool first_look = push && pop;
            const bool stepped = member == static_cast<Member>(seen.value + 1);
            const bool still = member == static_cast<Member>(seen.value);
            seen.by_push = first_look || (seen.by_push && (push ? stepped : still));
            seen.by_pop = first_look || (seen.by_pop && (pop ? stepped : still));
            seen.jumped = !first_look && (seen.jumped || (!stepped && !still));
            seen.value = static_cast<std::uint64_t>(member);
        });
    }

    Q& queue_;
    Seen seen_[8];
};

// Three laps of one push and one pop each, enough to tell a free counter from one that wraps.
template <class Q> void three_laps(Q& queue, std::size_t cap, Watch<Q>& watch) {
    for (std::size_t i = 0; i < 3 * cap + 1; ++i) {
        (void)queue.push(1);
        watch.pushed();
        (void)queue.pop();
        watch.popped();
    }
}

// Some designs take whole laps off their indices now and then; far-out values are then a state they never
// reach. Their indices jump; one that merely stands still is a fault and no excuse.
template <class Q> bool reaches(std::size_t cap, std::uint64_t operations) {
    Q queue(cap);
    Watch<Q> before(queue);
    three_laps(queue, cap, before);
    before.advance(queue, operations);
    Watch<Q> after(queue);
    three_laps(queue, cap, after);
    return before.any_free() && !after.jumps_where_free_in(before);
}

// Fill and empty the queue across the point where `turns` values have come and gone, from `lead` before it.
template <class Q> void far_out(std::size_t cap, std::uint64_t turns) {
    std::uint64_t lap = 1; // in whole laps of the ring, whether that has `cap` slots or the next power of two
    while (lap < cap) lap *= 2;
    lap *= cap;
    const std::uint64_t done = 3 * cap + 1, jump = (turns - done - (cap + 2)) / lap * lap;
    const bool moves = reaches<Q>(cap, jump - 4 * lap); // looks short of the point itself
    for (std::size_t lead = 0; lead < cap + 2; ++lead) {
        Dice dice(turns + lead);
        Pair pair(cap);
        Watch<Q> watch(pair.queue);
        three_laps(pair.queue, cap, watch);
        if (moves) watch.advance(pair.queue, jump);
        for (std::uint64_t left = turns - done - jump; left > lead; --left) {
            pair.push(1);
            pair.pop();
        }
        pair.overfill(dice);
        pair.drain();
        for (std::size_t i = 0; i < 2 * cap + 3; ++i) {
            pair.push(dice.item());
            if (i % 3 == 2) pair.pop();
        }
        pair.drain();
    }
}

std::uint64_t seed() {
    const char* given = std::getenv("HIDDEN_ORACLE_SEED");
    return given == nullptr ? 20 : std::strtoull(given, nullptr, 10);
}

} // namespace

int main() {
    for (std::size_t cap = 0; cap <= 20; ++cap) every_phase(cap);
    for (std::size_t cap : {31, 32, 33, 48}) every_phase(cap);
    for (std::size_t cap : {1, 2, 3, 6, 10, 12, 16, 100, 127, 128, 129, 1000}) random_walk(cap, cap);
    Dice dice(seed());
    for (int round = 0; round < 6; ++round) random_walk(2 + dice.below(400), dice.roll());
    for (std::size_t cap : {127, 128, 129, 255, 256, 257, 1000, 1024, 1025, 4097})
        filled_across_the_end(cap, 300);
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
    for (std::size_t cap : {1, 3, 7, 8, 10})
        for (int bit : {16, 31, 32, 40, 48}) far_out<BoundedQueue>(cap, std::uint64_t{1} << bit);
    return 0;
}
