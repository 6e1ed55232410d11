/* A table of 256 bytes, looked up along a chain: no arithmetic, only selection. */
#include <effigy.h>

static unsigned char box[256];

int main(void) {
  /* A permutation, from a generator modulo 257. */
  unsigned power = 1;
  for (int i = 0; i < 256; i++) {
    box[i] = (unsigned char)(power - 1);
    power = power * 3 % 257;
  }
  unsigned char key = effigy_uchar("key"), text = effigy_uchar("text");
  unsigned char link = text;
  for (int i = 0; i < 8; i++) {
    link = (unsigned char)(box[link ^ key] ^ (unsigned char)(i * 29));
    if (i > 0 && link == (unsigned char)(text + i)) return i;
  }
  effigy_assume(link == 0x5a);
  effigy_assert(key != text);
  return 0;
}
