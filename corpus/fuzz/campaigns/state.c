// A crash that needs two runs in one process: its input stays, and the campaign does not end as if nothing was seen.
//@ exit: 3
//@ crashes: 1
//@ says: not repeated by a process of its own
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int is_open;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  if (data[0] == 'O') {
    if (is_open) abort();
    is_open = 1;
  }
  if (data[0] == 'C') is_open = 0;
  return 0;
}
