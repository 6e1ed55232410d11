#include <effigy.h>
#include <stdlib.h>
int main(void) {
  unsigned n = effigy_uint("n");
  effigy_assume(n > 0 && n <= 8);
  char *text = malloc(n);
  text[n - 1] = 0;
  free(text);
  return 0;
}
