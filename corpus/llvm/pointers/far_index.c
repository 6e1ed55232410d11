// 4 GiB below: outside of its own object, and in no other.
#include <effigy.h>
char before[16], buf[16], after[16];
int main(void) {
  unsigned char i = effigy_uchar("i");
  effigy_assume(i < 8);
  return buf[i - 0x100000000UL]; //~ bug: out-of-bounds-read
}
