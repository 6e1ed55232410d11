// More of klee.h.
#include <errno.h>
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  uintptr_t n = klee_choose(3);
  char *p = malloc(24);
  if (klee_get_obj_size(p) != 24) abort();
  free(p);
  errno = (int)n;
  if (klee_get_errno() != (int)n) abort();
  klee_assert(n != 2); //~ bug: assertion-failed
  return (int)n;
}
