/* What a test's shared object hands to the launcher. */
#ifndef HO_TARGET_H
#define HO_TARGET_H
#include <stdint.h>
struct ho_target {
  int (*main)(int, char **, char **);
  uint64_t *checks; /* how many checks of the test's own text were evaluated */
  uint64_t *chain;  /* a running hash of their lines, in order */
};
#endif
