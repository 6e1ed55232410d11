// What overlaps depends on the length.
#include <effigy.h>
#include <string.h>
int main(void) {
  char text[16] = "abcdefgh";
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 8);
  memcpy(text + 4, text, n); //~ bug: overlapping-copy
  return 0;
}
