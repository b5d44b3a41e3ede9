/* The launcher: loads one test with the candidate, runs it under limits, and proves that it ran to its end.
 *
 * Built once per toolchain and linked against the sanitizer runtimes, so that nothing is linked into an
 * executable per patch. It is started inside the sandbox with four descriptors:
 *   3  config, read and closed before any code of the candidate is mapped (layout: src/grade/launch-config.ts)
 *   4  proof: 'L' load failure, 'F' failed check, 'R' the candidate's process failed, 'D' completion with its MAC
 *   5  status: 'S' once the runtimes are up, 'X' when the run is over ('C' after it: the candidate's process,
 *      where that is another one); never open where candidate code runs
 *   6  the test's shared object, opened by number so that it has no name in the sandbox
 *
 * The parent stays behind as a supervisor: it alone measures and enforces memory, CPU and wall limits over
 * every process of the sandbox, and says which of them ended the run.
 *
 * With ISOLATED the candidate gets a process of its own, and the test reaches it through remote.c alone.
 * With MANY the candidate holds many variants of itself, and there is one run for each: see run_many. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "census.h"
#include "garbage.h"
#include "remote.h"
#include "target.h"
#include "wire.h"

static struct config config;
static char entry_name[64];
static char *arg_text;
static struct sock_filter *filter;
static int proof_fd = PROOF_FD, is_candidate;

__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);
__attribute__((weak)) void __tsan_init(void);
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                                                    void (*)(const volatile void *));

static void read_fully(int fd, void *to, size_t n) {
  for (char *p = to; n;) {
    ssize_t got = read(fd, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(EXIT_SETUP);
    p += got;
    n -= (size_t)got;
  }
}

static void write_fully(int fd, const void *from, size_t n) {
  for (const char *p = from; n;) {
    ssize_t put = write(fd, p, n);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    p += put;
    n -= (size_t)put;
  }
}

/* ---- the gate: called by gate.so's constructor, when everything is mapped and nothing of the candidate ran.
 * No library can be mapped executable afterwards. ---- */
static void write_signed(const void *bytes, size_t size);

static void set_filter(void) {
  for (uint32_t i = 0; i < config.filter_len / sizeof *filter; i++)
    if (filter[i].k == 0x7fffaaaau) filter[i].k = (uint32_t)getpid();
  struct sock_fprog program = {(unsigned short)(config.filter_len / sizeof *filter), filter};
  /* Every thread: ThreadSanitizer has one of its own by now. */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)) {
    write_signed("G", 1);
    _exit(EXIT_GATE);
  }
}

__attribute__((visibility("default"))) void ho_gate(void) {
  static int passed;
  if (passed++) return;
  if (config.filter_len) set_filter();
  if (is_candidate) close(proof_fd); /* what an isolated candidate's process may say, it has said before this */
}

static void set_limit(int which, rlim_t soft, rlim_t hard) {
  struct rlimit now, want = {soft, hard};
  if (getrlimit(which, &now)) _exit(EXIT_SETUP);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < want.rlim_max) want.rlim_max = now.rlim_max;
  if (want.rlim_cur > want.rlim_max) want.rlim_cur = want.rlim_max;
  if (setrlimit(which, &want)) _exit(EXIT_SETUP);
}

static void set_limits(void) {
  set_limit(RLIMIT_CPU, config.cpu_seconds, config.cpu_seconds + 1);
  set_limit(RLIMIT_FSIZE, config.file_bytes, config.file_bytes);
  /* The sandbox's init and the supervisor count as well, and with ISOLATED the test's own process. */
  rlim_t processes = config.processes + 2 + (config.flags & ISOLATED ? 1 : 0);
  set_limit(RLIMIT_NPROC, processes, processes);
  set_limit(RLIMIT_NOFILE, 256, 256);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_MEMLOCK, 65536, 65536);
}

/* ---- child ---- */
__attribute__((noinline)) static int call_main(struct ho_target *target, int argc, char **argv, char **env) {
  fill_stack();
  return target->main(argc, argv, env);
}

/* A record that only this launcher can have written: its bytes and their MAC. An isolated candidate's process
 * has no key, and no descriptor either once its code may run. */
static void write_signed(const void *bytes, size_t size) {
  uint8_t record[1024 + 8];
  if (size > sizeof record - 8) size = sizeof record - 8;
  memcpy(record, bytes, size);
  uint64_t mac = siphash(config.key, record, size);
  memcpy(record + size, &mac, 8);
  write_fully(proof_fd, record, size + 8);
}

static void report_load_failure(const char *what) {
  struct __attribute__((packed)) {
    uint8_t tag;
    uint16_t size;
    char text[1000];
  } record = {'L', 0, {0}};
  int n = snprintf(record.text, sizeof record.text, "%s", what ? what : "unknown");
  record.size = (uint16_t)(n < (int)sizeof record.text ? n : (int)sizeof record.text - 1);
  write_signed(&record, 3u + record.size);
  _exit(EXIT_LOAD);
}

static int find_leaks(void) {
  if (!(config.flags & CHECK_LEAKS) || !__lsan_do_recoverable_leak_check) return -1;
  return __lsan_do_recoverable_leak_check() ? 1 : 0;
}

static void prove(int32_t result, struct ho_target *target) {
  struct __attribute__((packed)) {
    uint8_t tag;
    int32_t result, leaks;
    uint64_t checks, chain, mac;
  } record = {'D', result, -1, 0, 0, 0};
  /* For its check LeakSanitizer makes the process readable to others of its user: an isolated test is by then
   * alone, and has nothing left that changing could turn into a pass. */
  if (!(config.flags & ISOLATED) || result == 0) record.leaks = find_leaks();
  record.checks = __atomic_load_n(target->checks, __ATOMIC_RELAXED);
  record.chain = __atomic_load_n(target->chain, __ATOMIC_RELAXED);
  record.mac = siphash(config.key, (uint8_t *)&record, sizeof record - sizeof record.mac);
  write_fully(proof_fd, &record, sizeof record);
}

static void hide_proof(void) {
  proof_fd = fcntl(PROOF_FD, F_DUPFD_CLOEXEC, 32 + (int)(next_garbage() % 200));
  if (proof_fd < 0) _exit(EXIT_SETUP);
  close(PROOF_FD);
}

static void fill_new_blocks(void) {
  /* ThreadSanitizer calls the hook after calloc has cleared the block. */
  if (__sanitizer_install_malloc_and_free_hooks && !__tsan_init)
    __sanitizer_install_malloc_and_free_hooks(fill_block, ignore_free);
}

static void fail_remote(uint8_t why) {
  uint8_t record[2] = {'R', why};
  write_fully(proof_fd, record, sizeof record);
  _exit(EXIT_REMOTE);
}

static int run_target(char **env) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  memcpy(&garbage_state, config.key, 8);
  garbage_state ^= siphash(config.key, (const uint8_t *)"garbage", 7);
  hide_proof();
  if (config.flags & ISOLATED) remote_become_test(fail_remote);
  fill_new_blocks();
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", TEST_FD);
  void *test = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!test) report_load_failure(dlerror());
  close(TEST_FD);
  struct ho_target *(*entry)(int) = (struct ho_target * (*)(int)) dlsym(test, entry_name);
  if (!entry) report_load_failure("the test has no entry");
  struct ho_target *target = entry(proof_fd);
  char *argv[66] = {(char *)"test"};
  int argc = 1;
  for (char *p = arg_text; p < arg_text + config.args_len && argc < 65; p += strlen(p) + 1) argv[argc++] = p;
  int result = call_main(target, argc, argv, env);
  if (config.flags & ISOLATED) remote_close();
  prove(result, target);
  return result;
}

/* ---- the candidate's process, with ISOLATED ---- */

/* Before anything of the candidate is mapped: what the fork copied and only the test may know. */
static void forget_test(char **env) {
  explicit_bzero(config.key, sizeof config.key);
  explicit_bzero(entry_name, sizeof entry_name);
  explicit_bzero(arg_text, config.args_len);
  for (char **e = env; *e; e++)
    if (!strncmp(*e, "HIDDEN_ORACLE_", 14)) explicit_bzero(*e, strlen(*e));
  close(TEST_FD);
  close(STATUS_FD);
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0) _exit(EXIT_SETUP);
  close(null);
}

static void run_candidate(char **env) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 1); /* inherited from the supervisor; LeakSanitizer's tracer needs it */
  is_candidate = 1;
  remote_become_candidate();
  if (getrandom(&garbage_state, sizeof garbage_state, 0) != sizeof garbage_state) _exit(EXIT_SETUP);
  hide_proof();
  forget_test(env);
  fill_new_blocks();
  void *candidate = dlopen(SERVER_PATH, RTLD_NOW | RTLD_LOCAL);
  if (!candidate) report_load_failure(dlerror());
  ho_dispatch_fn *dispatch = (ho_dispatch_fn *)dlsym(candidate, "ho_dispatch");
  if (!dispatch) _exit(EXIT_LOAD);
  fill_stack();
  remote_serve(dispatch);
  fill_stack(); /* stale pointers of dead frames would hide leaks */
  int leaks = find_leaks();
  const unsigned char *nothing;
  dispatch(UINT_MAX, 0, NULL, 0, &nothing); /* ends the objects that outlive the test's main */
  remote_acknowledge(leaks == 1);
}

/* ---- supervisor ---- */
static int over_limit(const struct census *c, uint64_t elapsed_ms) {
  if (c->rss_kib * 1024 > config.memory_bytes) return ENDED_MEMORY;
  if (c->cpu_ms > (uint64_t)config.cpu_seconds * 1000 + 500) return ENDED_CPU;
  if (elapsed_ms <= config.wall_ms) return ENDED_ITSELF;
  /* Runnable, but kept from a core for most of the time: the machine's fault. */
  return c->cpu_ms < (uint64_t)config.cpu_seconds * 1000 && c->delay_ms * 2 > elapsed_ms ? ENDED_STARVED : ENDED_WALL;
}

static int reaped(pid_t child, int *wait_status, struct status *end) {
  struct rusage usage;
  if (child == 0 || wait4(child, wait_status, WNOHANG, &usage) != child) return 0;
  if ((uint64_t)usage.ru_maxrss > end->peak_rss_kib) end->peak_rss_kib = (uint64_t)usage.ru_maxrss;
  return 1;
}

static void measure(struct status *end, uint64_t start) {
  struct census c = take_census();
  uint32_t processes = c.processes - (config.flags & ISOLATED && c.processes ? 1 : 0);
  if (c.rss_kib > end->peak_rss_kib) end->peak_rss_kib = c.rss_kib;
  if (processes > end->peak_processes) end->peak_processes = processes;
  if (end->reason == ENDED_ITSELF && (end->reason = (uint8_t)over_limit(&c, now_ms() - start)) != ENDED_ITSELF)
    kill(-1, SIGKILL); /* spares only init and the caller */
}

static void report_end(struct status *end, struct candidate_status *other) {
  struct rusage all;
  getrusage(RUSAGE_CHILDREN, &all);
  end->cpu_us = (uint64_t)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1000000u +
                (uint64_t)(all.ru_utime.tv_usec + all.ru_stime.tv_usec);
  uint8_t text[sizeof *end + sizeof *other];
  memcpy(text, end, sizeof *end);
  memcpy(text + sizeof *end, other, sizeof *other);
  write_fully(STATUS_FD, text, sizeof *end + (config.flags & ISOLATED ? sizeof *other : 0));
}

/* `candidate` is 0 where it has no process of its own. */
static void supervise(pid_t test, pid_t candidate) {
  struct status end = {'X', ENDED_ITSELF, 0, 0, 0, 0};
  struct candidate_status other = {'C', WORK_UNFINISHED, ENDED_LAST, 0};
  uint64_t start = now_ms();
  int test_status = 0, candidate_status = 0;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (;;) {
    if (reaped(candidate, &candidate_status, &end)) {
      int early = 0;
      other.work = (uint8_t)remote_note_end(&early);
      if (test) other.order = early ? ENDED_EARLY : ENDED_IN_TURN;
      candidate = 0;
    }
    if (reaped(test, &test_status, &end)) {
      test = 0;
      /* A test that is done waits for the candidate's end: this one was ended by a failure. */
      if (candidate) kill(candidate, SIGKILL);
    }
    if (!test && !candidate) break;
    measure(&end, start);
    struct timespec tick = {0, 10 * 1000000};
    sigtimedwait(&set, NULL, &tick);
  }
  end.wait_status = test_status;
  other.wait_status = candidate_status;
  report_end(&end, &other);
}

/* ---- many variants of one candidate, which are the task's own mutants: see src/audit/strength ---- */

/* Which variant runs. A candidate that was built with variants reads it; the launcher's is found by name. */
__attribute__((visibility("default"))) int ho_mutant;

/* CPU time to the millisecond, of this process alone; a limit of the kernel's counts whole seconds. */
static void limit_cpu(long ms) {
  struct itimerval limit = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
  if (ms > 0 && setitimer(ITIMER_PROF, &limit, NULL)) _exit(EXIT_SETUP);
}

/* HO_MANY is `cpuMs number number ...`. Before each run 'N' and its number go out on the proof descriptor, so that
 * what the run says there can be told from the next one's; its end follows on the status descriptor. */
static int run_many(char **env, const sigset_t *before) {
  char *list = getenv("HO_MANY");
  if (!list) return EXIT_SETUP;
  long cpu_ms = strtol(list, &list, 10);
  unsetenv("HO_MANY");
  for (char *next; *list; list = next) {
    ho_mutant = (int)strtol(list, &next, 10);
    if (next == list) return EXIT_SETUP;
    uint8_t mark[5] = {'N'};
    memcpy(mark + 1, &ho_mutant, 4);
    write_fully(PROOF_FD, mark, sizeof mark);
    pid_t test = fork();
    if (test < 0) return EXIT_SETUP;
    if (test == 0) {
      close(STATUS_FD);
      sigprocmask(SIG_SETMASK, before, NULL);
      limit_cpu(cpu_ms);
      exit(run_target(env));
    }
    supervise(test, 0);
  }
  return 0;
}

static void read_config(void) {
  read_fully(CONFIG_FD, &config, sizeof config);
  if (config.entry_len >= sizeof entry_name || config.args_len > 1 << 20 || config.filter_len > 1 << 16)
    _exit(EXIT_SETUP);
  arg_text = calloc(1, config.args_len + 1);
  filter = calloc(1, config.filter_len + 1);
  if (!arg_text || !filter) _exit(EXIT_SETUP);
  read_fully(CONFIG_FD, entry_name, config.entry_len);
  read_fully(CONFIG_FD, arg_text, config.args_len);
  read_fully(CONFIG_FD, filter, config.filter_len);
  close(CONFIG_FD);
}

int main(int argc, char **argv, char **env) {
  (void)argc, (void)argv;
  syscall(SYS_close_range, TEST_FD + 1, ~0u, 0); /* descriptors of the sandbox's own */
  read_config();
  set_limits();
  write_fully(STATUS_FD, "S", 1);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &before);
  if (config.flags & MANY) _exit(run_many(env, &before));
  pid_t candidate = 0;
  if (config.flags & ISOLATED) {
    /* The test inherits it: the candidate's process can neither read nor trace either. */
    if (prctl(PR_SET_DUMPABLE, 0)) return EXIT_SETUP;
    remote_prepare();
    candidate = fork();
    if (candidate < 0) return EXIT_SETUP;
    if (candidate == 0) {
      sigprocmask(SIG_SETMASK, &before, NULL);
      run_candidate(env);
      exit(0);
    }
  }
  pid_t test = fork();
  if (test < 0) return EXIT_SETUP;
  if (test > 0) {
    prctl(PR_SET_DUMPABLE, 0); /* not to be traced or read by what it watches */
    memset(config.key, 0, sizeof config.key);
    close(PROOF_FD);
    close(TEST_FD);
    supervise(test, candidate);
    _exit(0);
  }
  close(STATUS_FD);
  sigprocmask(SIG_SETMASK, &before, NULL);
  exit(run_target(env));
}
