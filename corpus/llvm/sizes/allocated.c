// An object of symbolic size is one object, however large.
#include <effigy.h>
#include <stdlib.h>
//@ paths: 4
int main(void) {
  unsigned n = effigy_uint("n");
  effigy_assume(n < 1000000);
  int *p = malloc(4ul * n);
  if (n > 0)
    p[n - 1] = 5;
  if (n > 2000 && n < 3000)
    return p[n]; //~ bug: out-of-bounds-read
  free(p);
  return 0;
}
