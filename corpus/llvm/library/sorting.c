//@ paths: 6
// qsort and bsearch on inputs: a path for each order.
#include <effigy.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  const signed char *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}
int main(void) {
  signed char a[3];
  effigy_symbolic(a, sizeof a, "a");
  effigy_assume(a[0] != a[1] && a[1] != a[2] && a[0] != a[2]);
  signed char key = a[1];
  qsort(a, 3, 1, compare);
  if (a[0] > a[1] || a[1] > a[2]) abort();
  signed char *found = bsearch(&key, a, 3, 1, compare);
  if (!found || *found != key) abort();
  return 0;
}
