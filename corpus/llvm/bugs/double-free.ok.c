#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  int n = effigy_choose(2);
  for (int i = 0; i < n; i++)
    if (i % 2 == 0) free(p);
  if (n == 0) free(p);
  return 0;
}
