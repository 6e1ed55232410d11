// A long double has digits that a double has not.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  long n;
  klee_make_symbolic(&n, sizeof n, "n");
  long double wide = n;
  if ((long)wide != n) abort();
  if ((long double)(double)n != wide) return 1;
  return 0;
}
