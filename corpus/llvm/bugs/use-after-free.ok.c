#include <effigy.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  int early = effigy_int("early") & 0;
  if (early) free(p);
  int v = *p;
  if (!early) free(p);
  return v;
}
