// A bug inside of the library is the caller's: one element more than the array has.
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {3, 2, 1};
  qsort(a, 4, sizeof *a, compare); //~ bug: out-of-bounds-read
  return a[0];
}
