#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4);
  int n = effigy_choose(2);
  free(p + n); //~ bug: invalid-free
  return 0;
}
