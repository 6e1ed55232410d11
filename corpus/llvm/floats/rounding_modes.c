// The mode that a program sets is that of what follows, until it sets another.
#include <fenv.h>
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
static double quotient(double a, double b, int mode) {
  fesetround(mode);
  double res = a / b;
  fesetround(FE_TONEAREST);
  return res;
}
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume((n > 0) & (n < 100));
  double down = quotient(n, 7, FE_DOWNWARD), up = quotient(n, 7, FE_UPWARD), zero = quotient(-n, 7, FE_TOWARDZERO);
  if (down > up || zero != -down) abort();
  if ((down == up) != (n % 7 == 0)) abort();
  if (fegetround() != FE_TONEAREST || fesetround(77) == 0) abort();
  fesetround(FE_UPWARD);
  if (rint(down) < down || lrint(up) * 7 < n) abort();
  fesetround(FE_DOWNWARD);
  if (rint(2.5) != 2 || nearbyint(-2.5) != -3 || sqrt(2.0) * sqrt(2.0) >= 2) abort();
  if (rint(up) == down) return 1;
  if (rint(up) == 14) return 2;
  return 0;
}
