/* Process separation: a shared-memory mailbox that holds one batch of calls and one reply, handed to and fro.
 *
 * Whoever waits spins for a little while (a round trip between two cores takes less than a microsecond) and
 * then sleeps on a futex. The candidate's process can write to the mailbox at any time, so the test's side
 * reads every byte of a reply exactly once, into memory of its own, before it looks at it. */
#define _GNU_SOURCE
#include "remote.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AREA = 1 << 20, EXIT_SETUP = 123 };
enum turn { TEST = 0, CANDIDATE = 1, CLOSED = 2 };

struct message {
  uint32_t size, operation, object, posted; /* `size` bytes of arguments follow, then padding to 8 */
};

static uint32_t padded(size_t size) { return (uint32_t)((size + 7) & ~(size_t)7); }

struct side {
  uint32_t sleeps, cpu;
};

struct mailbox {
  uint32_t turn, request_bytes, reply_bytes, unused;
  struct side test, candidate;
  uint64_t done;
  uint8_t request[AREA] __attribute__((aligned(64)));
  uint8_t reply[AREA] __attribute__((aligned(64)));
};

/* Shared by test and supervisor alone. */
struct control {
  uint32_t closed, candidate_ended;
};

static struct mailbox *box;
static struct control *control;
static uint64_t token; /* what the candidate's process must leave in `done`, plus a WORK_ value */
static void (*fail_test)(uint8_t);

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define STORE(word, value) __atomic_store_n(&(word), (value), __ATOMIC_SEQ_CST)

static void *share(size_t size) {
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) _exit(EXIT_SETUP);
  return at;
}

void remote_prepare(void) {
  box = share(sizeof *box);
  control = share(sizeof *control);
  while (token == 0) {
    if (getrandom(&token, sizeof token, 0) != sizeof token) _exit(EXIT_SETUP);
    token &= ~(uint64_t)3;
  }
}

/* A half of the cores for each side. Two that take turns look to the kernel like a single program, which leaves
 * them on one core: a round trip then takes two switches, 5.5 us in place of 0.5. Where a filter does not allow
 * to choose, it stays at that. */
static void take_cores(int half) {
  cpu_set_t all, mine;
  if (sched_getaffinity(0, sizeof all, &all)) return;
  CPU_ZERO(&mine);
  for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &all) && seen++ % 2 == half) CPU_SET(cpu, &mine);
  if (CPU_COUNT(&mine)) sched_setaffinity(0, sizeof mine, &mine);
}

void remote_become_test(void (*fail)(uint8_t)) {
  take_cores(0);
  fail_test = fail;
  token = 0;
}

void remote_become_candidate(void) {
  take_cores(1);
  if (munmap(control, sizeof *control)) _exit(EXIT_SETUP);
  control = NULL;
}

/* ---- waiting ---- */
static void futex_wait(uint32_t *word, uint32_t value) {
  /* The timeout is for a wake-up that never comes: the other side may have died, or lie. */
  struct timespec limit = {0, 50 * 1000000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
}

static void futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

/* Spinning pays only while the other side runs on another core: each says on which it was last seen. */
enum { SPIN = 4000, SPIN_ON_ONE_CORE = 1 };

static void wait_while(uint32_t turn, struct side *self, struct side *other) {
  for (;;) {
    uint32_t here = (uint32_t)sched_getcpu();
    __atomic_store_n(&self->cpu, here, __ATOMIC_RELAXED);
    int limit = __atomic_load_n(&other->cpu, __ATOMIC_RELAXED) == here ? SPIN_ON_ONE_CORE : SPIN;
    for (int i = 0; i < limit; i++) {
      if (__atomic_load_n(&box->turn, __ATOMIC_ACQUIRE) != turn) return;
      __builtin_ia32_pause();
    }
    STORE(self->sleeps, 1);
    if (LOAD(box->turn) == turn) futex_wait(&box->turn, turn);
    STORE(self->sleeps, 0);
    if (LOAD(box->turn) != turn) return;
    if (control && LOAD(control->candidate_ended) && LOAD(box->turn) == turn) fail_test(REMOTE_ENDED);
  }
}

static void hand_over(uint32_t turn, struct side *to) {
  STORE(box->turn, turn);
  if (LOAD(to->sleeps)) futex_wake(&box->turn);
}

/* ---- the test's side ---- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t waiting_bytes; /* posted calls that lie in the mailbox; never read back from there */
static uint8_t reply[AREA];

#define EXPORTED __attribute__((visibility("default")))

static void ask(void) {
  box->request_bytes = waiting_bytes;
  waiting_bytes = 0;
  hand_over(CANDIDATE, &box->candidate);
  wait_while(CANDIDATE, &box->test, &box->candidate);
}

/* Calls the candidate and waits for its reply, a copy that stays until ho_remote_release. A posted call has no
 * reply, is delivered with the next one that has, and returns at once. */
EXPORTED const unsigned char *ho_remote_call(unsigned operation, unsigned object, const void *arguments,
                                             size_t size, int posted, size_t *reply_size) {
  if (!fail_test || LOAD(control->closed)) {
    if (posted) return NULL; /* an object that outlives main: the candidate's side ended it already */
    if (fail_test) fail_test(REMOTE_ENDED);
    abort();
  }
  pthread_mutex_lock(&lock);
  if (size > AREA / 2) fail_test(REMOTE_TOO_LONG);
  struct message head = {(uint32_t)size, operation, object, (uint32_t)posted};
  if (waiting_bytes + sizeof head + padded(size) > AREA) ask(); /* all posted: the reply is empty */
  memcpy(box->request + waiting_bytes, &head, sizeof head);
  if (size) memcpy(box->request + waiting_bytes + sizeof head, arguments, size);
  waiting_bytes += (uint32_t)(sizeof head + padded(size));
  if (posted) {
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  ask();
  uint32_t got = __atomic_load_n(&box->reply_bytes, __ATOMIC_RELAXED);
  if (got > AREA) fail_test(REMOTE_MALFORMED);
  memcpy(reply, box->reply, got);
  *reply_size = got;
  return reply;
}

EXPORTED void ho_remote_release(void) { pthread_mutex_unlock(&lock); }

/* A message that says what no honest side would say. */
EXPORTED __attribute__((noreturn)) void ho_remote_malformed(void) {
  if (fail_test) fail_test(REMOTE_MALFORMED);
  abort();
}

/* Numbers of objects, used again as objects go, so that the candidate's side can keep them in a row. */
static uint32_t *free_objects;
static size_t free_count, free_room;
static uint32_t object_count;

EXPORTED unsigned ho_remote_new_object(void) {
  pthread_mutex_lock(&lock);
  uint32_t object = free_count ? free_objects[--free_count] : object_count++;
  pthread_mutex_unlock(&lock);
  return object;
}

EXPORTED void ho_remote_free_object(unsigned object) {
  pthread_mutex_lock(&lock);
  if (free_count == free_room) {
    free_room = free_room ? free_room * 2 : 64;
    free_objects = realloc(free_objects, free_room * sizeof *free_objects);
    if (!free_objects) abort();
  }
  free_objects[free_count++] = object;
  pthread_mutex_unlock(&lock);
}

void remote_close(void) {
  pthread_mutex_lock(&lock);
  STORE(control->closed, 1);
  box->request_bytes = waiting_bytes;
  hand_over(CLOSED, &box->candidate);
  while (!LOAD(control->candidate_ended)) futex_wait(&control->candidate_ended, 0);
  pthread_mutex_unlock(&lock);
}

/* ---- the candidate's side ---- */
static void answer_batch(ho_dispatch_fn *dispatch) {
  uint32_t bytes = box->request_bytes;
  box->reply_bytes = 0;
  for (uint32_t at = 0; at + sizeof(struct message) <= bytes;) {
    struct message head;
    memcpy(&head, box->request + at, sizeof head);
    at += (uint32_t)sizeof head;
    if (bytes > AREA || head.size > bytes - at) abort();
    const unsigned char *said = NULL;
    size_t size = dispatch(head.operation, head.object, box->request + at, head.size, &said);
    at += padded(head.size);
    if (head.posted) continue;
    if (size > AREA) size = AREA; /* cut short: the test's side refuses it */
    memcpy(box->reply, said, size);
    box->reply_bytes = (uint32_t)size;
  }
}

void remote_serve(ho_dispatch_fn *dispatch) {
  for (;;) {
    wait_while(TEST, &box->candidate, &box->test);
    uint32_t turn = LOAD(box->turn);
    answer_batch(dispatch);
    if (turn == CLOSED) return;
    hand_over(TEST, &box->test);
  }
}

void remote_acknowledge(int leaks) { STORE(box->done, token + (leaks ? WORK_LEAKED : WORK_CLEAN)); }

/* ---- the supervisor's side ---- */
int remote_note_end(int *early) {
  uint64_t done = LOAD(box->done);
  *early = !LOAD(control->closed);
  STORE(control->candidate_ended, 1);
  futex_wake(&control->candidate_ended);
  futex_wake(&box->turn);
  if (done == token + WORK_CLEAN) return WORK_CLEAN;
  return done == token + WORK_LEAKED ? WORK_LEAKED : WORK_UNFINISHED;
}
