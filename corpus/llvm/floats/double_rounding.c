// A sum that is rounded twice is not the one that is rounded once.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
int main(void) {
  float a, b, c;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(&c, sizeof c, "c");
  klee_assume((a > 1) & (a < 2) & (b > 1) & (b < 2) & (c > 1) & (c < 2));
  if (a * b + c != fmaf(a, b, c)) abort(); //~ bug: abort
  return 0;
}
