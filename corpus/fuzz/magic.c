//@ bug: abort
//@ guard: a number of four bytes, a word, and a number in network order
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic;
  if (size < 16) return 0;
  memcpy(&magic, data, 4);
  if (magic != 0x5ca1ab1e) return 0;
  if (memcmp(data + 4, "effigies", 8) != 0) return 0;
  if ((uint32_t)(data[12] << 24 | data[13] << 16 | data[14] << 8 | data[15]) != 0x00c0ffee) return 0;
  abort();
}
