#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What random inputs do not come through: a magic number, a length, a checksum, a word. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic;
  uint16_t length, sum;
  if (size < 11) return 0;
  memcpy(&magic, data, 4);
  if (magic != 0x1badb002) return 0;
  memcpy(&length, data + 4, 2);
  if (length != size - 6) return 0;
  memcpy(&sum, data + 6, 2);
  uint16_t own = 0;
  for (size_t at = 8; at < size; at++) own = own * 31 + data[at];
  if (sum != own) return 0;
  if (memcmp(data + 8, "bad", 3) == 0) abort();
  return 0;
}
