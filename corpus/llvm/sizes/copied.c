// A symbolic length: the bounds are asked for at once, and what is in bounds is one path.
#include <effigy.h>
#include <string.h>
//@ paths: 1
int main(void) {
  char from[128], to[128];
  memset(from, 7, sizeof from);
  memset(to, 1, sizeof to);
  unsigned char n = effigy_uchar("n"), at = effigy_uchar("at");
  effigy_assume(n < 200 && at < 128);
  memcpy(to, from, n); //~ bug: out-of-bounds-read
  effigy_assert(to[at] == (at < n ? 7 : 1));
  memset(to, 3, n);
  effigy_assert(to[at] == (at < n ? 3 : 1));
  return 0;
}
