//@ bug: abort
//@ guard: a magic number, the length, a sum over the rest that the rest must keep
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic, sum = 0;
  uint16_t length, stored;
  if (size < 11) return 0;
  memcpy(&magic, data, 4);
  memcpy(&length, data + 4, 2);
  memcpy(&stored, data + 6, 2);
  if (magic != 0x5a17c0de) return 0;
  if (length != size - 6) return 0;
  for (size_t i = 8; i < size; i++) sum = sum * 31 + data[i];
  if (stored != (uint16_t)sum) return 0;
  if (data[8] == 'b' && data[9] == 'a' && data[10] == 'd') abort();
  return 0;
}
