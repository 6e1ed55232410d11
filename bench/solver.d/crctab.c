/* The same checksum through its table of 256 words. */
#include <effigy.h>

static unsigned table[256];

int main(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned entry = i;
    for (int bit = 0; bit < 8; bit++) entry = entry >> 1 ^ (0xedb88320u & -(entry & 1));
    table[i] = entry;
  }
  unsigned char text[4];
  effigy_symbolic(text, sizeof text, "text");
  unsigned sum = ~0u;
  for (unsigned i = 0; i < sizeof text; i++) sum = sum >> 8 ^ table[(sum ^ text[i]) & 0xff];
  sum = ~sum;
  if (sum == 0xcafebabeu) return 1;
  if (sum == 0x12345678u && text[3] > text[0]) return 2;
  return 0;
}
