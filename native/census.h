/* What all processes of the sandbox together use, read from /proc by the supervisor. */
#ifndef HO_CENSUS_H
#define HO_CENSUS_H
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int read_text(const char *dir, const char *name, char *to, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%.16s/%s", dir, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, to, size - 1);
  close(fd);
  to[n > 0 ? n : 0] = 0;
  return n > 0;
}

struct census { uint64_t rss_kib, cpu_ms, delay_ms; uint32_t processes; };

/* Every process of the sandbox but its init and this supervisor. */
static struct census take_census(void) {
  struct census sum = {0, 0, 0, 0};
  DIR *proc = opendir("/proc");
  if (!proc) return sum;
  long page_kib = sysconf(_SC_PAGESIZE) / 1024;
  for (struct dirent *e; (e = readdir(proc));) {
    if (e->d_name[0] < '0' || e->d_name[0] > '9' || atoi(e->d_name) == 1 || atoi(e->d_name) == getpid()) continue;
    char text[512];
    unsigned long long on_cpu = 0, waiting = 0, size = 0, resident = 0;
    if (read_text(e->d_name, "schedstat", text, sizeof text)) sscanf(text, "%llu %llu", &on_cpu, &waiting);
    if (read_text(e->d_name, "statm", text, sizeof text)) sscanf(text, "%llu %llu", &size, &resident);
    if (read_text(e->d_name, "stat", text, sizeof text)) {
      unsigned long user = 0, system = 0, threads = 0;
      char *rest = strrchr(text, ')');
      if (rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %lu", &user,
                         &system, &threads) == 3) {
        sum.processes += (uint32_t)threads;
        sum.cpu_ms += (user + system) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK);
      }
    }
    sum.rss_kib += resident * (unsigned long long)page_kib;
    /* Not the sum: a candidate could start copies of itself that wait for each other. */
    if (waiting / 1000000 > sum.delay_ms) sum.delay_ms = waiting / 1000000;
  }
  closedir(proc);
  return sum;
}

#endif
