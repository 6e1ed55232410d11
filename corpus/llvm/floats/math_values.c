//@ apart: a run has the value of the function, not any within its bounds
// A function that IEEE 754 does not define has its bounds: what they rule out is not found, what they allow is possible.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
int main(void) {
  double x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  double angle = sin(x);
  if (isfinite(x) && fabs(angle) > 1) abort();
  if (isinf(x) && !isnan(angle)) abort();
  if (angle != sin(x) && !isnan(angle)) abort();
  if (exp(x) < 0) abort();
  if (x > 1 && log(x) < 0) abort();
  if (x >= 0 && y >= 0 && pow(x, y) < 0) abort();
  if (tanh(x) * tanh(x) > 1) abort();
  if (angle == 0.5) abort(); //~ possible: abort
  return 0;
}
