// What is not a number is not the smaller one, and neither the larger one.
#include <klee/klee.h>
#include <stdlib.h>
static double smaller(double a, double b) { return a < b ? a : b; }
int main(void) {
  double a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  double c = smaller(a, b);
  if (!(c <= a && c <= b)) abort(); //~ bug: abort
  return 0;
}
