//@ bug: abort
//@ guard: chunks of a length, a name, bytes and their CRC, as PNG has them; the third must say the right thing
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc(const uint8_t *data, size_t size) {
  uint32_t res = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    res ^= data[i];
    for (int bit = 0; bit < 8; bit++) res = res >> 1 ^ (res & 1 ? 0xedb88320 : 0);
  }
  return ~res;
}

static uint32_t number(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int has_head = 0, has_data = 0;
  if (size < 8 || memcmp(data, "\x89" "EFF\r\n\x1a\n", 8) != 0) return 0;
  for (size_t at = 8; size - at >= 12;) {
    uint32_t length = number(data + at);
    if (length > size - at - 12) return 0;
    const uint8_t *name = data + at + 4, *content = name + 4;
    if (number(content + length) != crc(name, length + 4)) return 0;
    if (memcmp(name, "HEAD", 4) == 0) {
      has_head = length == 4 && number(content) == 7;
    } else if (memcmp(name, "DATA", 4) == 0 && has_head) {
      has_data = length > 2;
    } else if (memcmp(name, "DONE", 4) == 0 && has_data) {
      if (length == 2 && content[0] == 0xbe && content[1] == 0xef) abort();
    }
    at += 12 + (size_t)length;
  }
  return 0;
}
