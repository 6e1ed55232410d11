// Appending a string to itself, up to a count.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[32] = "abc";
  int n = effigy_choose(3);
  strncat(s, s + n, 4); //~ bug: overlapping-copy
  return s[0];
}
