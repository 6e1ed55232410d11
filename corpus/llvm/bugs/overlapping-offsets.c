// Whether places overlap depends on offsets that are inputs.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[16] = "abcdefghijklmno";
  unsigned char i = effigy_uchar("i"), j = effigy_uchar("j");
  effigy_assume(i < 8 && j < 8);
  memcpy(s + i, s + j, 4); //~ bug: overlapping-copy
  return s[0];
}
