// The tests that a repair is shown.
#include "bounded_queue.hpp"

#undef NDEBUG
#include <cassert>

namespace {

// A queue that has been drained is as good as new.
void reuse_after_drain() {
    BoundedQueue jobs(8);
    for (int job = 0; job < 3; ++job) assert(jobs.push(job));
    for (int job = 0; job < 3; ++job) assert(jobs.pop() == job);
    assert(!jobs.pop());
    assert(jobs.push(70));
    assert(jobs.size() == 1);
    assert(jobs.pop() == 70);
}

// Every slot is used, and no more than that.
void fill_to_the_brim() {
    BoundedQueue jobs(16);
    for (int job = 0; job < 16; ++job) assert(jobs.push(job));
    assert(!jobs.push(99));
    for (int job = 0; job < 16; ++job) assert(jobs.pop() == job);
    assert(jobs.size() == 0);
}

// Batches of five pass through, so that they start at another slot each time.
void batches_around_the_ring() {
    BoundedQueue jobs(32);
    for (int batch = 0; batch < 40; ++batch) {
        for (int job = 0; job < 5; ++job) assert(jobs.push(batch * 100 + job));
        for (int job = 0; job < 5; ++job) assert(jobs.pop() == batch * 100 + job);
    }
}

} // namespace

int main() {
    reuse_after_drain();
    fill_to_the_brim();
    batches_around_the_ring();
    return 0;
}
