//@ flags: --check infinity,float-division-by-zero
//@ replay: IEEE 754 defines it
// An infinity that is made of finite numbers, and a division by zero before it.
#include <klee/klee.h>
int main(void) {
  float x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  double wide = (double)x * 2;
  float sum = x + y; //~ bug: infinity
  volatile float narrow = wide; //~ bug: infinity
  if (y > -1 && y < 0) return 1;
  if (y > 0 && y < 1) return 2;
  float quotient = 1 / y; //~ bug: float-division-by-zero
  return sum > quotient;
}
