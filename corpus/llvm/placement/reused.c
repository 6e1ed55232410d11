// What is allocated after a `free` may lie where the freed object lay.
//@ incomplete: in line 9 depends on where objects lie
#include <stdlib.h>
int main(void) {
  char *first = malloc(8);
  long old = (long)first;
  free(first);
  char *second = malloc(8);
  if ((long)second == old) free(second);
  free(second);
  return 0;
}
