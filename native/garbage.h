/* SipHash, and bytes for what is not initialised: they must differ every time and everywhere, never be zero or equal. */
#ifndef HO_GARBAGE_H
#define HO_GARBAGE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- SipHash-2-4, 64 bits: the MAC of the completion record, and the source of garbage below ---- */
#define ROTL(x, b) (((x) << (b)) | ((x) >> (64 - (b))))
#define ROUND                                                                                                  \
  do {                                                                                                         \
    v0 += v1; v1 = ROTL(v1, 13); v1 ^= v0; v0 = ROTL(v0, 32);                                                   \
    v2 += v3; v3 = ROTL(v3, 16); v3 ^= v2;                                                                      \
    v0 += v3; v3 = ROTL(v3, 21); v3 ^= v0;                                                                      \
    v2 += v1; v1 = ROTL(v1, 17); v1 ^= v2; v2 = ROTL(v2, 32);                                                   \
  } while (0)

static uint64_t siphash(const uint8_t key[16], const uint8_t *in, size_t len) {
  uint64_t k0, k1, m;
  memcpy(&k0, key, 8);
  memcpy(&k1, key + 8, 8);
  uint64_t v0 = k0 ^ 0x736f6d6570736575ull, v1 = k1 ^ 0x646f72616e646f6dull;
  uint64_t v2 = k0 ^ 0x6c7967656e657261ull, v3 = k1 ^ 0x7465646279746573ull;
  size_t whole = len & ~(size_t)7;
  for (size_t i = 0; i < whole; i += 8) {
    memcpy(&m, in + i, 8);
    v3 ^= m; ROUND; ROUND; v0 ^= m;
  }
  m = (uint64_t)len << 56;
  for (size_t i = whole; i < len; i++) m |= (uint64_t)in[i] << (8 * (i - whole));
  v3 ^= m; ROUND; ROUND; v0 ^= m;
  v2 ^= 0xff; ROUND; ROUND; ROUND; ROUND;
  return v0 ^ v1 ^ v2 ^ v3;
}

/* ---- garbage: what is not initialised must differ every time and everywhere, never be zero or equal ---- */
static uint64_t garbage_state;
static uint64_t next_garbage(void) {
  uint64_t z = (garbage_state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/* Neighbours differ by one in both halves of a word: two members that were never set differ modulo any size,
 * every time, and not only most of the time as random words would. */
#define NEIGHBOUR 0x0000000100000001ull

__attribute__((noinline)) static void fill_stack(void) {
  volatile uint64_t below[8192];
  uint64_t word = next_garbage();
  for (size_t i = 0; i < 8192; i++) below[i] = word += NEIGHBOUR;
  (void)below[0];
}

/* Fills the first bytes of each new block. calloc clears after this hook; blocks past 4 KiB are left alone,
 * since the biggest come zeroed from the kernel and calloc relies on it. */
static void fill_block(const volatile void *block, size_t size) {
  if (size > 4096) return;
  volatile unsigned char *p = (volatile unsigned char *)block;
  uint64_t word = next_garbage();
  for (size_t i = 0; i < size; i += 8) {
    word += NEIGHBOUR;
    for (size_t j = 0; j < 8 && i + j < size; j++) p[i + j] = (unsigned char)(word >> (8 * j));
  }
}
static void ignore_free(const volatile void *block) { (void)block; }

#endif
