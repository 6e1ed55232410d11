// One element more than the array has: the program's own function is the first to read it.
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b; //~ bug: out-of-bounds-read
}
int main(void) {
  int a[3] = {3, 2, 1};
  qsort(a, 4, sizeof *a, compare);
  return a[0];
}
