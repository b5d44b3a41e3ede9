/* A test that any machine must pass: it allocates, frees, and checks once. */
#include <stdlib.h>
#include <string.h>
#include "include/assert.h"

int main(void) {
  char *block = malloc(64);
  assert(block != NULL);
  memset(block, 1, 64);
  int sum = block[0] + block[63];
  free(block);
  return sum == 2 ? 0 : 1;
}
