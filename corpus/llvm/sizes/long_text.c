// A text that is looked at character by character has a limit, and is never cut silently.
//@ incomplete: writing a string of more than 1 MiB
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  size_t n = 2ul << 20;
  char *p = malloc(n);
  if (!p)
    return 1;
  memset(p, 'a', n - 1);
  p[n - 1] = 0;
  if (effigy_bool("printed"))
    effigy_assert(snprintf(0, 0, "%s", p) == (int)n - 1);
  free(p);
  return 0;
}
