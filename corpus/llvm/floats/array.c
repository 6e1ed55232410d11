// An element that is chosen by what is measured.
#include <klee/klee.h>
static const double limits[4] = {0.5, 1.5, 2.5, 3.5};
int main(void) {
  double x;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_assume((x >= 0) & (x <= 4));
  int index = (int)x;
  if (x > limits[index]) return 1; //~ bug: out-of-bounds-read
  return 0;
}
