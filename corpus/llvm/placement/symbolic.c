// The place in an array is an input, the place of the array is none.
//@ incomplete: in line 9 depends on where objects lie
#include <effigy.h>
#include <stdint.h>
int main(void) {
  int a[64];
  unsigned char i = effigy_uchar("i");
  effigy_assume(i < 64);
  if ((uintptr_t)&a[i] & 64) return 1;
  return 0;
}
