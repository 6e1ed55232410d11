/* One compare after the other, none of which chance would meet; each kind in its own way. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef unsigned _ExtInt(40) five_bytes;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t magic, sum = 0, stored;
  uint64_t wide;
  uint16_t turned;
  double real;
  five_bytes odd;
  char digits[8] = {0};
  if (size < 64) return 0;
  memcpy(&magic, data, 4);
  if (magic != 0x7f1cd00d) return 0;
  memcpy(&wide, data + 4, 8);
  if ((wide ^ 0xa5a5a5a5a5a5a5a5) != 0x0123456789abcdef) return 0;
  turned = (uint16_t)(data[12] << 8 | data[13]);
  if (turned != 0x1f8b) return 0;
  memcpy(&real, data + 14, 8);
  if (!(real > 1000.25 && real < 1000.75)) return 0;
  memcpy(&odd, data + 22, 5);
  if (odd != (five_bytes)0x1234567890) return 0;
  if (memcmp(data + 27, "one word", 8)) return 0;
  if (strncasecmp((const char *)data + 35, "Content", 7)) return 0;
  memcpy(digits, data + 42, 6);
  if (atoi(digits) != 40961) return 0;
  for (size_t i = 0; i < 60; i++) sum = sum * 31 + data[i];
  memcpy(&stored, data + 60, 4);
  if (stored != sum) return 0;
  abort();
}
