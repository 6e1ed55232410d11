// The same, but for places that cannot overlap.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[16] = "abcdefghijklmno";
  unsigned char i = effigy_uchar("i"), j = effigy_uchar("j");
  effigy_assume(i < 4 && j >= 8 && j < 12);
  memcpy(s + i, s + j, 4);
  memmove(s + i, s + i + 1, 4);
  return 0;
}
