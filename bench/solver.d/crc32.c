/* The checksum CRC-32, bit by bit: chains of exclusive or. */
#include <effigy.h>

static unsigned crc(const unsigned char *at, unsigned count) {
  unsigned res = ~0u;
  for (unsigned i = 0; i < count; i++) {
    res ^= at[i];
    /* Without a branch: the mask is all ones where the lowest bit is one. */
    for (int bit = 0; bit < 8; bit++) res = res >> 1 ^ (0xedb88320u & -(res & 1));
  }
  return ~res;
}

int main(void) {
  unsigned char text[6];
  effigy_symbolic(text, sizeof text, "text");
  unsigned sum = crc(text, sizeof text);
  if (sum == 0xdeadbeefu && text[0] == 'e' && text[1] == 'f') return 1;
  if (sum == 0 && text[0] > text[5]) return 2;
  if ((sum & 0xffff) == (sum >> 16)) return 3;
  return 0;
}
