// errno is set where the domain has no result and where the format has no number.
#include <errno.h>
#include <klee/klee.h>
#include <math.h>
#include <stdio.h>

static int error;

static void show(const char *name) {
  printf("%s %d\n", name, errno);
  error = errno;
  errno = 0;
}

int main(void) {
  volatile double zero = 0, minus = -1, huge = 1e308, two = 2, inf = INFINITY, nan = NAN, small = 4.9e-324;
  volatile double res;
#define SHOW(call) res = call, show(#call)
  SHOW(log(minus));
  SHOW(log(zero));
  SHOW(log1p(minus));
  SHOW(sqrt(minus));
  SHOW(sqrt(nan));
  SHOW(acos(two));
  SHOW(sin(inf));
  SHOW(pow(zero, minus));
  SHOW(pow(minus, 0.5));
  SHOW(pow(huge, two));
  SHOW(exp(huge));
  SHOW(hypot(huge, huge * 1.5));
  SHOW(fmod(two, zero));
  SHOW(fmod(inf, two));
  SHOW(fmod(nan, zero));
  SHOW(remainder(two, zero));
  SHOW(fdim(huge, -huge));
  SHOW(ldexp(two, 2000));
  SHOW(ldexp(two, -2000));
  SHOW(ldexp(zero, 2000));
  SHOW(ilogb(zero));
  SHOW(ilogb(nan));
  SHOW(nextafter(huge * 1.7976931348623157, inf));
  SHOW(nextafter(small, zero));
  SHOW(nextafter(zero, two));
  SHOW(sinh(huge));
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  SHOW(sqrt(x));
  if (error == EDOM) return x < 0 ? 1 : 2;
  SHOW(ldexp(x, 1));
  if (error == ERANGE) return 3;
  return 0;
}
