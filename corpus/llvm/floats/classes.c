// Each class of numbers is a path.
#include <klee/klee.h>
#include <math.h>
int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  switch (fpclassify(x)) {
  case FP_NAN: return 1;
  case FP_INFINITE: return signbit(x) ? 2 : 3;
  case FP_ZERO: return 4;
  case FP_SUBNORMAL: return 5;
  }
  if (x == floor(x) && x > 1e15) return 6;
  return x < 0 ? 7 : 8;
}
