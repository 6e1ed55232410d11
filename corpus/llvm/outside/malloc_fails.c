//@ flags: --malloc-may-fail
//@ paths: 4
// Each call of the family is a case of its own; realloc that fails leaves the old object as it was.
#include <stdlib.h>
int main(void) {
  int *p = malloc(4), *q, *r;
  *p = 1; //~ bug: null-dereference
  q = calloc(2, 4);
  if (!q) { free(p); return 1; }
  q[1] = 3;
  r = realloc(q, 16);
  if (!r) { int seen = q[1]; free(q); free(p); return seen == 3 ? 2 : abs(*(int *)0); }
  r[3] = 4;
  p[0] = r[1];
  free(r);
  void *at = (void *)1;
  if (posix_memalign(&at, 64, 8)) { free(p); return at == (void *)1 ? 12 : 13; }
  free(at);
  free(p);
  return 0;
}
