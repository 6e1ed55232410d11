// Which of two objects lies first, nobody knows.
//@ incomplete: in line 6 depends on where objects lie
#include <stdlib.h>
int main(void) {
  char *a = malloc(8), *b = malloc(8);
  if (a > b) return free(a), free(b), 1;
  free(a), free(b);
  return 0;
}
