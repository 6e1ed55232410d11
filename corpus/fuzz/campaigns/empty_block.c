// A block of no bytes has none, though AddressSanitizer gives it one.
//@ exit: 1
//@ seeds: 0x 1x
//@ replay: 1 test replayed: 1 as predicted, 0 differ
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  char *block = malloc(data[0] == '0' ? 0 : 1);
  if (block) block[0] = 'A'; //~ bug: out-of-bounds-write
  free(block);
  return 0;
}
