// The classic bug of 64-bit ports: -d of an unsigned d is 4 GiB forward, not 4 bytes back.
#include <effigy.h>
char before[16], buf[16], after[16];
int main(void) {
  unsigned d = effigy_uchar("d") & 7;
  char *p = buf + 8;
  return p[-d]; //~ bug: out-of-bounds-read
}
