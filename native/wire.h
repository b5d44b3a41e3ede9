/* What the launcher reads and says: its descriptors, exit statuses and records. Layouts: src/grade/launch-config.ts */
#ifndef HO_WIRE_H
#define HO_WIRE_H
#include <stdint.h>

enum { CONFIG_FD = 3, PROOF_FD = 4, STATUS_FD = 5, TEST_FD = 6 };
enum { EXIT_REMOTE = 120, EXIT_LOAD = 121, EXIT_GATE = 122, EXIT_SETUP = 123 };
enum { ENDED_ITSELF = 0, ENDED_MEMORY = 1, ENDED_CPU = 2, ENDED_WALL = 3, ENDED_STARVED = 4 };
/* When the candidate's process ended: with the test still calling, after the last call, after the test's end. */
enum { ENDED_EARLY = 0, ENDED_IN_TURN = 1, ENDED_LAST = 2 };
enum { CHECK_LEAKS = 1, ISOLATED = 2, MANY = 4 };

#define SERVER_PATH "/r/candidate.so"

struct __attribute__((packed)) config {
  uint8_t key[16];
  uint64_t memory_bytes, file_bytes;
  uint32_t cpu_seconds, wall_ms, processes, flags;
  uint32_t entry_len, args_len, filter_len;
};

struct __attribute__((packed)) status {
  uint8_t tag, reason;
  int32_t wait_status;
  uint64_t cpu_us, peak_rss_kib;
  uint32_t peak_processes;
};

struct __attribute__((packed)) candidate_status {
  uint8_t tag, work, order;
  int32_t wait_status;
};

#endif
