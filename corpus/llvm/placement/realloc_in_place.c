// A block that grows may stay where it is.
//@ incomplete: in line 6 depends on where objects lie
#include <stdlib.h>
int main(void) {
  char *old = malloc(8), *new = realloc(old, 100);
  if (new != old) new[0] = 1;
  free(new);
  return 0;
}
