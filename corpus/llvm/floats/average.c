// The sum of two numbers that are large has no place among the numbers.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
static double average(double a, double b) { return (a + b) / 2; }
int main(void) {
  double a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(isfinite(a) & isfinite(b));
  if (!isfinite(average(a, b))) abort(); //~ bug: abort
  return 0;
}
