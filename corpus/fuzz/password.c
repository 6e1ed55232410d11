//@ bug: abort
//@ guard: eight characters of which each is right or wrong, told only all together
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char word[8] = {'x', 'Y', 'z', 'z', 'y', '-', '4', '2'};
  unsigned right = 0;
  if (size != 8) return 0;
  for (unsigned i = 0; i < 8; i++) right += data[i] == (uint8_t)word[i];
  if (right == 8) abort();
  return 0;
}
