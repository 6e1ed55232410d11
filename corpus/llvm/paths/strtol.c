//@ paths: 1
// What the strto* family returns, stores and leaves in errno, as glibc has it.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void whole(const char *text, int base) {
  char *end = 0;
  errno = 0;
  long value = strtol(text, &end, base);
  printf("strtol %d: %ld, %d behind, errno %d\n", base, value, end ? (int)(end - text) : -1, errno);
  errno = 0;
  end = 0;
  unsigned long number = strtoul(text, &end, base);
  printf("strtoul %d: %lu, %d behind, errno %d\n", base, number, end ? (int)(end - text) : -1, errno);
}
static void real(const char *text) {
  char *end = 0;
  errno = 0;
  double value = strtod(text, &end);
  printf("strtod: %g, %d behind, errno %d\n", value, (int)(end - text), errno);
}
int main(void) {
  whole("-99999999999999999999", 10);
  whole("99999999999999999999", 10);
  whole("-18446744073709551615", 10);
  whole("  +0x7fz", 0);
  whole("-0778", 0);
  whole("zz", 36);
  errno = 0;
  printf("%ld, errno %d\n", strtol("12", NULL, 1), errno);
  errno = 0;
  printf("%lu, errno %d\n", strtoul("12", NULL, 37), errno);
  whole("0x", 16);
  whole("", 10);
  real("3e2x");
  real("1.5 in");
  real(" -inf");
  real("infinity and more");
  real("nan(1)");
  real("0x1.8p3");
  real("0x.p1");
  real("1e400");
  real("-1e-400");
  real("1e+");
  real("+.5e1");
  real("none");
  printf("%d %g\n", atoi("  -42abc"), atof("2.5e1"));
  return strtof("0.1", NULL) == 0.1f ? 0 : 1;
}
