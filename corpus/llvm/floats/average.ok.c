// Halves of numbers have a sum that is a number.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
static float average(float a, float b) { return a / 2 + b / 2; }
int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(isfinite(a) & isfinite(b));
  if (!isfinite(average(a, b))) abort();
  return 0;
}
