#include <klee/klee.h>
#include <stdlib.h>

static float average(float a, float b) { return (a + b) / 2; }
int main(void) {
  float a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a < 1000 && b < 1000 && average(a, b) > 999.9999f) abort();
  return 0;
}
