//@ paths: 1
// What the compiler makes intrinsics of, and the functions themselves.
#include <math.h>
double (*volatile least)(double, double) = fmin, (*volatile most)(double, double) = fmax;
double (*volatile fused)(double, double, double) = fma;
int main(void) {
  volatile double a = 2.5, b = -1.0, n = NAN;
  volatile float x = 2.5f, y = 3.0f;
  if (fmin(a, b) != b || fmax(a, b) != a || fmin(a, n) != a || fmax(n, b) != b) return 1;
  if (fminf(x, y) != x || fmaxf(x, y) != y || fma(a, b, a) != 0 || fmaf(x, y, 0.5f) != 8.0f) return 2;
  if (least(a, b) != b || most(n, a) != a || fused(a, a, b) != 5.25) return 3;
  // Rounded once: the product alone would lose its last bit.
  volatile double c = 134217729.0;
  return fma(c, c, -18014398777917440.0) == 1.0 ? 0 : 4;
}
