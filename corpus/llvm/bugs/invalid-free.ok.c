#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  int n = effigy_choose(1);
  free(p + n);
  return 0;
}
