// What printf returns depends on the number.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = printf("%u\n", effigy_uchar("x"));
  if (n < 2 || n > 4) return 1;
  if (n == 4) abort(); //~ bug: abort
  return 0;
}
