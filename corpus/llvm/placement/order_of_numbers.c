// The same of the numbers.
//@ incomplete: in line 7 depends on where objects lie
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *a = malloc(8), *b = malloc(8);
  if ((uintptr_t)b - (uintptr_t)a < 4096) return free(a), free(b), 1;
  free(a), free(b);
  return 0;
}
