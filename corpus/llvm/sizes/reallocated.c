// realloc of an object of symbolic size, to a symbolic size.
#include <effigy.h>
#include <stdlib.h>
int main(void) {
  unsigned n = effigy_uint("n"), m = effigy_uint("m");
  effigy_assume(2 <= n && n < 20 && 1 <= m && m < 20);
  char *p = malloc(n);
  p[0] = 3;
  p[1] = 4;
  char *q = realloc(p, m);
  effigy_assert(q[0] == 3);
  int res = q[1]; //~ bug: out-of-bounds-read
  effigy_assert(res == 4);
  free(q);
  if (n == 7)
    free(p); //~ bug: double-free
  return 0;
}
