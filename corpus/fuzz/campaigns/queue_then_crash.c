// An input ends well, is kept for what it covers, and crashes later: the crash is no less one.
//@ exit: 3
//@ crashes: 1
//@ seeds: OO
//@ says: not repeated by a process of its own
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int runs;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data, (void)size;
  if (++runs > 500) abort();
  return 0;
}
