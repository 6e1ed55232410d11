#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(8);
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 7);
  p[n] = 'x';
  free(p);
  return 0;
}
