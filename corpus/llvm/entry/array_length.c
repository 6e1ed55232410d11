/* An array with its length parameter: as many elements as it says, and not one more. */
//@ entry: sum
//@ flags: --array a:n --buffer 12
//@ paths: 0
#include <stddef.h>

static int sum(const int *a, size_t n) {
  unsigned res = 0;
  for (size_t i = 0; i <= n; i++) res += (unsigned)a[i]; //~ bug: out-of-bounds-read
  return (int)res;
}

int of_none(void) {
  int none[1] = {0};
  return sum(none, 0);
}
