// So is what a copy takes of it.
//@ incomplete: in line 9 depends on where objects lie
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *p = malloc(4);
  unsigned low;
  memcpy(&low, &p, 4);
  if (low & 32) return free(p), 1;
  free(p);
  return 0;
}
