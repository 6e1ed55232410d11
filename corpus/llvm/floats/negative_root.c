// A difference that cannot be negative is, when it is rounded.
#include <klee/klee.h>
#include <math.h>
#include <stdlib.h>
int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume((a >= 1.0f) & (a <= 2.0f) & (b >= 1.0f) & (b <= 2.0f));
  float mean = (a + b) / 2;
  float variance = (a * a + b * b) / 2 - mean * mean;
  float deviation = sqrtf(variance);
  if (isnan(deviation)) abort(); //~ bug: abort
  return 0;
}
