// One call that would fill so much with a symbolic byte takes longer than any limit of time: it is refused by name.
//@ incomplete: filling more than 4 MiB with a symbolic byte
#include <effigy.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  size_t n = 1ul << 28;
  char *p = malloc(n), c = effigy_char("c");
  if (!p)
    return 1;
  if (c > 5)
    memset(p, c, n);
  free(p);
  return 0;
}
