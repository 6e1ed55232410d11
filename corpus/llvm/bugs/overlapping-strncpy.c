// strncpy reads no further than the end of the text, or its count.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[16] = "abc";
  unsigned char n = effigy_uchar("n");
  effigy_assume(n >= 1 && n <= 8);
  strncpy(s + 4, s, n); // Reads the four bytes before.
  strncpy(s, s + n, 4); //~ bug: overlapping-copy
  return s[0];
}
