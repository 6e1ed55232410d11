#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(8);
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 8);
  p[n] = 'x'; //~ bug: out-of-bounds-write
  free(p);
  return 0;
}
